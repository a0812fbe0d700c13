// The blocks of churn.c where it is to be a C++ program: new and delete.
#include <cstddef>
#include <new>

extern "C" {
extern const int resizes_count;
const int resizes_count = 0; // a resize is a new block and a delete
void *make_block(std::size_t size) { return ::operator new(size); }
void drop_block(void *block) { ::operator delete(block); }
void *resize_block(void *block, std::size_t size)
{
    void *other = ::operator new(size);
    ::operator delete(block);
    return other;
}
}
