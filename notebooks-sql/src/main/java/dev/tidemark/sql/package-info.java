/** The lake as SQL sees it. The views are SQL files; the Java here only opens, runs and prints. */
package dev.tidemark.sql;
