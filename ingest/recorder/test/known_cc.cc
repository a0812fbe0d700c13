// Every operator new and delete, with prime sizes, between two phases; a new that throws must leave the thread seeing.
#include <new>
#include <cstdlib>

#include "../tidemark.h"

static void *volatile kept;
static volatile std::size_t huge = static_cast<std::size_t>(-1) / 4;

static void *keep(void *block)
{
    kept = block;
    return block;
}

int main(int argc, char **)
{
    const std::align_val_t a64{64};
    tidemark_phase("begin");
    ::operator delete(keep(::operator new(1009)));
    ::operator delete(keep(::operator new(1013)), std::size_t{1013});
    ::operator delete[](keep(::operator new[](1019)));
    ::operator delete[](keep(::operator new[](1021)), std::size_t{1021});
    ::operator delete(keep(::operator new(1031, std::nothrow)), std::nothrow);
    ::operator delete[](keep(::operator new[](1033, std::nothrow)), std::nothrow);
    ::operator delete(keep(::operator new(1039, a64)), a64);
    ::operator delete(keep(::operator new(1049, a64)), std::size_t{1049}, a64);
    ::operator delete[](keep(::operator new[](1051, a64)), a64);
    ::operator delete[](keep(::operator new[](1061, a64)), std::size_t{1061}, a64);
    ::operator delete(keep(::operator new(1063, a64, std::nothrow)), a64, std::nothrow);
    ::operator delete[](keep(::operator new[](1069, a64, std::nothrow)), a64, std::nothrow);
    bool threw = argc > 1; // an argument: this allocator ends the program instead
    if (!threw) {
        try {
            kept = ::operator new(huge);
        } catch (const std::bad_alloc &) {
            threw = true;
        }
        kept = ::operator new[](huge, a64, std::nothrow);
    }
    std::free(keep(std::malloc(1087)));
    ::operator delete(nullptr);
    tidemark_phase("end");
    return threw ? 7 : 1;
}
