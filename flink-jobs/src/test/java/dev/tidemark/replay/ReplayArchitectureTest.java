package dev.tidemark.replay;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
        packages = {"dev.tidemark.replay", "dev.tidemark.jobs"},
        importOptions = ImportOption.DoNotIncludeTests.class)
class ReplayArchitectureTest {
    @ArchTest
    static final ArchRule REPLAY_IS_PLAIN_JAVA =
            noClasses()
                    .that()
                    .resideInAPackage("dev.tidemark.replay..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(
                            "org.apache.flink..",
                            "org.apache.kafka..",
                            "org.apache.parquet..",
                            "dev.tidemark.jobs..");

    @ArchTest
    static final ArchRule NOTHING_NAMES_HADOOP_BUT_THE_PARQUET_WRITERS =
            noClasses()
                    .that()
                    .resideOutsideOfPackage("dev.tidemark.jobs.parquet..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("org.apache.hadoop..");
}
