package dev.tidemark.schemas.lake;

/**
 * A column of a table or of its view.
 *
 * @param name in snake case, ending in its unit
 * @param type what it holds; every column may be NULL
 * @param comment meaning, unit, and when it is NULL, in a sentence or two
 * @param isStored whether the files have it; the other columns are made by the view, from the
 *     session's row or by arithmetic
 */
public record LakeColumn(String name, ColumnType type, String comment, boolean isStored) {}
