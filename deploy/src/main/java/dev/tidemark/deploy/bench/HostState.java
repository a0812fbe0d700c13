package dev.tidemark.deploy.bench;

import dev.tidemark.ingest.proc.HostFacts;
import dev.tidemark.schemas.avro.Host;
import java.util.LinkedHashMap;
import java.util.Map;

/** What of the machine must stay the same all through a bench, resumed or not. */
public final class HostState {
    private HostState() {}

    /** Facts by name; what the kernel doesn't say is {@code null}. */
    public static Map<String, String> read() {
        Host host = HostFacts.read(null);
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("processor", String.valueOf(host.getCpuModel()));
        facts.put("cores", String.valueOf(host.getCores()));
        facts.put("kernel", String.valueOf(host.getKernel()));
        facts.put("huge pages", String.valueOf(host.getHugePages()));
        facts.put("governor", String.valueOf(host.getGovernor()));
        return facts;
    }
}
