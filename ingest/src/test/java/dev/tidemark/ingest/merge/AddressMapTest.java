package dev.tidemark.ingest.merge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AddressMapTest {
    private final AddressMap map = new AddressMap();

    @Test
    void neverHoldsAddressZero() {
        assertThat(map.find(0)).isFalse();
        assertThat(map.remove(0)).isFalse();
        map.put(16, 1, 2);
        assertThat(map.find(0)).isFalse();
        assertThat(map.size()).isEqualTo(1);
    }

    @Test
    void tellsTheBlockThatIsReplaced() {
        assertThat(map.put(0x7f00_0000_0010L, 5, 1009)).isFalse();
        assertThat(map.put(0x7f00_0000_0010L, 6, 503)).isTrue();
        assertThat(map.foundOrdinal()).isEqualTo(5);
        assertThat(map.foundSizeBytes()).isEqualTo(1009);
        assertThat(map.remove(0x7f00_0000_0010L)).isTrue();
        assertThat(map.foundOrdinal()).isEqualTo(6);
        assertThat(map.find(0x7f00_0000_0010L)).isFalse();
    }

    /** Fills to where it just does not grow, removes and finds in all orders, grows a few times. */
    @ParameterizedTest
    @ValueSource(ints = {2_000, 2_500, 40_000})
    void agreesWithAPlainMap(int live) {
        Random random = new Random(live);
        Map<Long, Long> plain = new HashMap<>();
        List<Long> addresses = new ArrayList<>();
        for (long ordinal = 0; ordinal < 20L * live; ordinal++) {
            if (addresses.size() < live && random.nextInt(3) > 0) {
                long address = (1 + random.nextInt(8 * live)) * 16L;
                boolean isNew = plain.put(address, ordinal) == null;
                assertThat(map.put(address, ordinal, ordinal * 3)).isEqualTo(!isNew);
                if (isNew) {
                    addresses.add(address);
                }
            } else if (!addresses.isEmpty()) {
                int at = random.nextInt(addresses.size());
                long address = addresses.get(at);
                addresses.set(at, addresses.get(addresses.size() - 1));
                addresses.remove(addresses.size() - 1);
                assertThat(map.remove(address)).isTrue();
                assertThat(map.foundOrdinal()).isEqualTo(plain.remove(address));
                assertThat(map.remove(address)).isFalse();
            }
        }
        assertThat(map.size()).isEqualTo(plain.size());
        plain.forEach(
                (address, ordinal) -> {
                    assertThat(map.find(address)).isTrue();
                    assertThat(map.foundOrdinal()).isEqualTo(ordinal);
                    assertThat(map.foundSizeBytes()).isEqualTo(ordinal * 3);
                });
    }
}
