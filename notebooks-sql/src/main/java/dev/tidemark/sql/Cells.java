package dev.tidemark.sql;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.sql.Array;
import java.sql.Blob;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Struct;
import java.sql.Timestamp;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Values as a person reads them. */
final class Cells {
    private static final int DIGITS = 6;
    private static final double LARGE = 1e15;
    private static final double SMALL = 1e-4;

    private static final DateTimeFormatter TIME =
            new DateTimeFormatterBuilder()
                    .appendPattern("HH:mm:ss")
                    .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
                    .toFormatter();

    private static final DateTimeFormatter DATE_TIME =
            new DateTimeFormatterBuilder()
                    .append(DateTimeFormatter.ISO_LOCAL_DATE)
                    .appendLiteral(' ')
                    .append(TIME)
                    .toFormatter();

    private Cells() {}

    /** A cell of the current row, from column 1; null where it is NULL. */
    static @Nullable String text(ResultSet rows, int column) throws SQLException {
        Object value = rows.getObject(column);
        return value == null ? null : printable(text(value));
    }

    /** The text with control characters, which could steer a terminal, written as escapes. */
    static String printable(String text) {
        if (text.chars().noneMatch(Character::isISOControl)) {
            return text;
        }
        StringBuilder safe = new StringBuilder();
        text.chars()
                .forEach(
                        c -> {
                            switch (c) {
                                case '\n' -> safe.append("\\n");
                                case '\r' -> safe.append("\\r");
                                case '\t' -> safe.append("\\t");
                                default -> {
                                    if (Character.isISOControl(c)) {
                                        safe.append("\\x%02x".formatted(c));
                                    } else {
                                        safe.append((char) c);
                                    }
                                }
                            }
                        });
        return safe.toString();
    }

    private static String text(@Nullable Object value) throws SQLException {
        if (value == null) {
            return "NULL";
        } else if (value instanceof Double || value instanceof Float) {
            return text(((Number) value).doubleValue());
        } else if (value instanceof BigDecimal decimal) {
            return decimal.toPlainString();
        } else if (value instanceof OffsetDateTime time) {
            return DATE_TIME.format(time.withOffsetSameInstant(ZoneOffset.UTC)) + "+00";
        } else if (value instanceof Timestamp time) {
            return DATE_TIME.format(time.toLocalDateTime());
        } else if (value instanceof LocalTime time) {
            return TIME.format(time);
        } else if (value instanceof Blob blob) {
            return "(" + blob.length() + " bytes)";
        } else if (value instanceof Array array) {
            return list((Object[]) array.getArray());
        } else if (value instanceof Struct struct) {
            return struct.toString();
        } else if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> entry.getKey() + "=" + entry.getValue())
                    .sorted()
                    .collect(Collectors.joining(", ", "{", "}"));
        }
        return value.toString();
    }

    private static String list(Object[] values) throws SQLException {
        String[] texts = new String[values.length];
        for (int i = 0; i < values.length; i++) {
            texts[i] = text(values[i]);
        }
        return Arrays.stream(texts).collect(Collectors.joining(", ", "[", "]"));
    }

    /** At least six digits; all those before the point. */
    private static String text(double value) {
        double size = Math.abs(value);
        if (!Double.isFinite(value) || size >= LARGE || (size < SMALL && size > 0)) {
            return Double.toString(value);
        }
        BigDecimal exact = BigDecimal.valueOf(value);
        int digitsBeforePoint = Math.max(0, exact.precision() - exact.scale());
        BigDecimal rounded =
                exact.round(
                        new MathContext(
                                Math.max(DIGITS, digitsBeforePoint), RoundingMode.HALF_EVEN));
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }
}
