package dev.tidemark.deploy.doctor;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a 64-bit little-endian ELF file says of itself: for which machine it is, which loader it
 * names, which libraries it needs, which dynamic symbols it imports and defines.
 *
 * @param machine {@code e_machine}: 62 is x86-64, 183 is aarch64
 * @param interpreter the loader; absent in a static program and in most libraries
 * @param needed names of libraries ({@code DT_NEEDED})
 * @param imported names of undefined dynamic symbols
 * @param defined names of defined symbols, dynamic ones and, where not stripped, all
 */
public record ElfFile(
        int machine,
        Optional<String> interpreter,
        List<String> needed,
        Set<String> imported,
        Set<String> defined) {
    public static final int X86_64 = 62;
    public static final int AARCH64 = 183;

    private static final Map<Integer, String> MACHINES =
            Map.of(
                    3,
                    "i386",
                    21,
                    "ppc64",
                    22,
                    "s390x",
                    40,
                    "arm",
                    X86_64,
                    "x86-64",
                    AARCH64,
                    "aarch64",
                    243,
                    "riscv",
                    258,
                    "loongarch");

    private static final int MAGIC = 0x464c457f; // "\x7fELF", little-endian
    private static final byte CLASS_64 = 2;
    private static final int PT_DYNAMIC = 2;
    private static final int PT_INTERP = 3;
    private static final int PT_LOAD = 1;
    private static final int SHT_SYMTAB = 2;
    private static final int SHT_DYNSYM = 11;
    private static final int DT_NEEDED = 1;
    private static final int DT_STRTAB = 5;

    /** The machine that this is. */
    public static int ownMachine() {
        return System.getProperty("os.arch").equals("aarch64") ? AARCH64 : X86_64;
    }

    /** What a machine is called. */
    public static String nameOf(int machine) {
        return MACHINES.getOrDefault(machine, "machine " + machine);
    }

    /** Whether the file begins as any ELF file does. */
    static boolean isElf(ByteBuffer head) {
        return head.remaining() >= 4
                && head.duplicate().order(ByteOrder.LITTLE_ENDIAN).getInt() == MAGIC;
    }

    /** Reads a file; a file that is not ELF, not 64 bit or cut short is an {@link IOException}. */
    public static ElfFile read(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            ByteBuffer file =
                    channel.map(MapMode.READ_ONLY, 0, Math.min(channel.size(), Integer.MAX_VALUE))
                            .order(ByteOrder.LITTLE_ENDIAN);
            if (file.remaining() < 64 || file.getInt(0) != MAGIC) {
                throw new IOException(path + ": not an ELF file");
            }
            if (file.get(4) != CLASS_64 || file.get(5) != 1) {
                throw new IOException(path + ": not a 64-bit little-endian ELF file");
            }
            return new Reader(file).read();
        } catch (IndexOutOfBoundsException
                | BufferUnderflowException
                | IllegalArgumentException e) {
            throw new IOException(path + ": the ELF headers point outside the file", e);
        }
    }

    /** Walks program headers, then sections. */
    private static final class Reader {
        private final ByteBuffer file;
        private final List<long[]> loads = new ArrayList<>(); // address, offset, size
        private Optional<String> interpreter = Optional.empty();
        private final List<String> needed = new ArrayList<>();

        Reader(ByteBuffer file) {
            this.file = file;
        }

        ElfFile read() {
            readProgramHeaders();
            Set<String> imported = new TreeSet<>();
            Set<String> defined = new TreeSet<>();
            readSymbols(imported, defined);
            return new ElfFile(
                    file.getShort(18), interpreter, List.copyOf(needed), imported, defined);
        }

        private void readProgramHeaders() {
            int at = Math.toIntExact(file.getLong(32));
            int size = file.getShort(54);
            int count = file.getShort(56);
            int dynamicAt = -1;
            int dynamicSize = 0;
            for (int i = 0; i < count; i++, at += size) {
                int offset = Math.toIntExact(file.getLong(at + 8));
                int length = Math.toIntExact(file.getLong(at + 32));
                switch (file.getInt(at)) {
                    case PT_LOAD -> loads.add(new long[] {file.getLong(at + 16), offset, length});
                    case PT_INTERP -> interpreter = Optional.of(string(offset));
                    case PT_DYNAMIC -> {
                        dynamicAt = offset;
                        dynamicSize = length;
                    }
                    default -> {}
                }
            }
            if (dynamicAt >= 0) {
                readNeeded(dynamicAt, dynamicSize);
            }
        }

        private void readNeeded(int at, int size) {
            Map<Integer, Long> names = new HashMap<>();
            long strings = -1;
            for (int entry = at; entry + 16 <= at + size; entry += 16) {
                long tag = file.getLong(entry);
                if (tag == DT_NEEDED) {
                    names.put(entry, file.getLong(entry + 8));
                } else if (tag == DT_STRTAB) {
                    strings = fileOffset(file.getLong(entry + 8));
                }
            }
            for (int entry = at; entry + 16 <= at + size && strings >= 0; entry += 16) {
                Long name = names.get(entry);
                if (name != null) {
                    needed.add(string(Math.toIntExact(strings + name)));
                }
            }
        }

        private long fileOffset(long address) {
            for (long[] load : loads) {
                if (address >= load[0] && address < load[0] + load[2]) {
                    return address - load[0] + load[1];
                }
            }
            return -1;
        }

        private void readSymbols(Set<String> imported, Set<String> defined) {
            int sections = Math.toIntExact(file.getLong(40));
            int size = file.getShort(58);
            int count = sections == 0 ? 0 : file.getShort(60);
            for (int i = 0; i < count; i++) {
                int section = sections + i * size;
                int type = file.getInt(section + 4);
                if (type == SHT_DYNSYM || type == SHT_SYMTAB) {
                    int strings = sections + file.getInt(section + 40) * size;
                    readSymbolTable(
                            Math.toIntExact(file.getLong(section + 24)),
                            Math.toIntExact(file.getLong(section + 32)),
                            Math.toIntExact(file.getLong(strings + 24)),
                            type == SHT_DYNSYM ? imported : new TreeSet<>(),
                            defined);
                }
            }
        }

        private void readSymbolTable(
                int at, int size, int strings, Set<String> imported, Set<String> defined) {
            for (int symbol = at; symbol + 24 <= at + size; symbol += 24) {
                int name = file.getInt(symbol);
                if (name != 0) {
                    boolean isUndefined = file.getShort(symbol + 6) == 0;
                    (isUndefined ? imported : defined).add(string(strings + name));
                }
            }
        }

        private String string(int at) {
            int end = at;
            while (file.get(end) != 0) {
                end++;
            }
            byte[] bytes = new byte[end - at];
            file.get(at, bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }
}
