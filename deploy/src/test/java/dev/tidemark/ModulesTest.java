package dev.tidemark;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.nio.file.Files;
import java.nio.file.Path;

/** Modules point one way, the replay core is plain Java, and what works everywhere is used. */
@AnalyzeClasses(packages = "dev.tidemark", importOptions = DoNotIncludeTests.class)
class ModulesTest {
    @ArchTest
    static final ArchRule modulesPointOneWay =
            layeredArchitecture()
                    .consideringOnlyDependenciesInLayers()
                    .layer("schemas")
                    .definedBy("dev.tidemark.schemas..")
                    .layer("ingest")
                    .definedBy("dev.tidemark.ingest..")
                    .layer("flink-jobs")
                    .definedBy("dev.tidemark.jobs..", "dev.tidemark.replay..")
                    .layer("notebooks-sql")
                    .definedBy("dev.tidemark.sql..")
                    .layer("deploy")
                    .definedBy("dev.tidemark.deploy..")
                    .whereLayer("deploy")
                    .mayNotBeAccessedByAnyLayer()
                    .whereLayer("ingest")
                    .mayOnlyBeAccessedByLayers("deploy")
                    .whereLayer("flink-jobs")
                    .mayOnlyBeAccessedByLayers("deploy")
                    .whereLayer("notebooks-sql")
                    .mayOnlyBeAccessedByLayers("deploy");

    @ArchTest
    static final ArchRule replayCoreKnowsNoFlink =
            noClasses()
                    .that()
                    .resideInAPackage("dev.tidemark.replay..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("org.apache.flink..")
                    .allowEmptyShould(true);

    /** It fails in a chroot that is no mount point; {@code File.getUsableSpace} does not. */
    @ArchTest
    static final ArchRule asksNoFileForItsMount =
            noClasses().should().callMethod(Files.class, "getFileStore", Path.class);
}
