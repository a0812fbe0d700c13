// Opened locally by plugin_host, with libstdc++ behind it: operator new then is where RTLD_NEXT does not look.
#include <string>
#include <vector>

extern "C" int plugin_run()
{
    std::vector<std::string> lines;
    for (int i = 0; i < 101; i++) {
        lines.push_back(std::string(1009, 'x'));
    }
    try {
        (void)lines.at(1000);
    } catch (const std::exception &) {
        return static_cast<int>(lines.size());
    }
    return 1;
}
