//! C's allocation functions over the crate `rusty_alloc`, to be preloaded into a program.
//!
//! Every function forwards to the crate and adds what C asks for besides: `errno`, the alignments that are refused,
//! and overflow checks. `realloc(p, 0)` is the crate's own and returns a block. `operator new` comes to `malloc`
//! through libstdc++. Not here: `malloc_trim` and `mallinfo`, for which the crate has no counterpart.

use core::ffi::{c_int, c_void};
use core::ptr::null_mut;
use rusty_alloc::alloc;

const POINTER: usize = size_of::<*mut c_void>();
const PAGE: usize = 4096;

/// The block as C's pointer; a missing one with `errno` set.
#[inline(always)]
fn returned(block: *mut u8) -> *mut c_void {
    if block.is_null() {
        return failed(libc::ENOMEM);
    }
    block.cast()
}

#[cold]
#[inline(never)]
fn failed(error: c_int) -> *mut c_void {
    // SAFETY: errno is the calling thread's own.
    unsafe { *libc::__errno_location() = error };
    null_mut()
}

#[unsafe(no_mangle)]
pub extern "C" fn malloc(size: usize) -> *mut c_void {
    returned(alloc::malloc(size))
}

#[unsafe(no_mangle)]
pub extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
    returned(alloc::calloc(count, size))
}

/// # Safety
/// `block` is null or one of ours, and is not used again when another is returned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn realloc(block: *mut c_void, size: usize) -> *mut c_void {
    // SAFETY: as the caller promises.
    returned(unsafe { alloc::realloc(block.cast(), size) })
}

/// # Safety
/// As `realloc`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn reallocarray(block: *mut c_void, count: usize, size: usize) -> *mut c_void {
    match count.checked_mul(size) {
        // SAFETY: as the caller promises.
        Some(total) => unsafe { realloc(block, total) },
        None => failed(libc::ENOMEM),
    }
}

/// # Safety
/// `block` is null or one of ours, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn free(block: *mut c_void) {
    // SAFETY: as the caller promises.
    unsafe { alloc::free(block.cast()) }
}

/// # Safety
/// `result` can be written. It is left alone when nothing is returned.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn posix_memalign(result: *mut *mut c_void, alignment: usize, size: usize) -> c_int {
    if !alignment.is_power_of_two() || alignment % POINTER != 0 {
        return libc::EINVAL;
    }
    let block = alloc::malloc_aligned(size, alignment);
    if block.is_null() {
        return libc::ENOMEM;
    }
    // SAFETY: as the caller promises.
    unsafe { *result = block.cast() };
    0
}

#[unsafe(no_mangle)]
pub extern "C" fn aligned_alloc(alignment: usize, size: usize) -> *mut c_void {
    memalign(alignment, size)
}

#[unsafe(no_mangle)]
pub extern "C" fn memalign(alignment: usize, size: usize) -> *mut c_void {
    if !alignment.is_power_of_two() {
        return failed(libc::EINVAL);
    }
    returned(alloc::malloc_aligned(size, alignment.max(POINTER)))
}

#[unsafe(no_mangle)]
pub extern "C" fn valloc(size: usize) -> *mut c_void {
    memalign(PAGE, size)
}

#[unsafe(no_mangle)]
pub extern "C" fn pvalloc(size: usize) -> *mut c_void {
    match size.max(1).checked_next_multiple_of(PAGE) {
        Some(pages) => memalign(PAGE, pages),
        None => failed(libc::ENOMEM),
    }
}

/// # Safety
/// `block` is null or one of ours.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn malloc_usable_size(block: *mut c_void) -> usize {
    // SAFETY: as the caller promises.
    unsafe { alloc::usable_size(block.cast()) }
}
