// Command resilint finds Go retries that charge a card twice, storm a system
// that is already down, or hide it from its circuit breaker.
package main

func main() {}
