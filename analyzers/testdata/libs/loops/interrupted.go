//go:build unix

package loops

import (
	"errors"
	"syscall"
)

// A system call that a signal interrupted is made again: it asks the kernel, and
// nobody else.
func flush(fd int, p []byte) (int, error) {
	for { // nosite
		n, err := syscall.Write(fd, p)
		if err == nil {
			return n, nil
		}
		if !errors.Is(err, syscall.EINTR) {
			return 0, err
		}
	}
}
