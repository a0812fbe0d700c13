package dev.tidemark.sql;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * DuckDB's Java classes once more, with a library that is already unpacked. They look for the
 * library among the resources first and unpack what they find; here they find nothing and ask for
 * it by name.
 */
final class DuckDbClasses extends ClassLoader {
    private static final String PACKAGE = "org.duckdb.";

    private final ClassLoader original;
    private final Path library;

    DuckDbClasses(ClassLoader original, Path library) {
        super("duckdb", original);
        this.original = original;
        this.library = library;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(PACKAGE)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        String resource = name.replace('.', '/') + ".class";
        try (InputStream in = original.getResourceAsStream(resource)) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = in.readAllBytes();
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    @Override
    public @Nullable URL getResource(String name) {
        return name.equals(NativeLibrary.resource()) ? null : super.getResource(name);
    }

    @Override
    protected @Nullable String findLibrary(String name) {
        return name.equals("duckdb_java") ? library.toString() : null;
    }
}
