/**
 * What this machine has and lacks, and whether a program can be recorded.
 *
 * <p>Nothing is run to find out: the machine is read from {@code /proc} and {@code /sys}, a program
 * from its ELF headers and those of the libraries that it names.
 */
package dev.tidemark.deploy.doctor;
