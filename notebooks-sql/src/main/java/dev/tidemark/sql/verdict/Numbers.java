package dev.tidemark.sql.verdict;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers as a person reads them. */
final class Numbers {
    private Numbers() {}

    /** Three digits, or all those before the point; no exponent. */
    static String plain(double value) {
        if (!Double.isFinite(value)) {
            return Double.toString(value);
        }
        BigDecimal exact = BigDecimal.valueOf(value);
        int before = Math.max(0, exact.precision() - exact.scale());
        BigDecimal rounded =
                exact.round(new MathContext(Math.max(3, before), RoundingMode.HALF_EVEN));
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }
}
