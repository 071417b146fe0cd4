// Package suppress has the comments that silence findings.
package suppress

import (
	"time"

	"github.com/avast/retry-go/v4"
)

func atTheEndOfTheLine() error {
	return retry.Do(ping, retry.Attempts(6)) //resilint:ignore RE-3 the partner asks for six attempts
}

func above() error {
	//resilint:ignore RE-3 the partner asks for six attempts
	return retry.Do(ping, retry.Attempts(6))
}

func aboveStatementOfSeveralLines() error {
	//resilint:ignore R-RES-RE-3 the partner asks for six attempts
	err := retry.Do(ping,
		retry.Attempts(6),
	)
	return err
}

func byAlias() error {
	return retry.Do(ping, retry.Attempts(6)) //resilint:ignore retryattempts the partner asks for six attempts
}

func severalRules() error {
	//resilint:ignore RE-3,RE-4 nobody waits for this
	return retry.Do(ping)
}

func oneOfTwoRules() error {
	//resilint:ignore RE-3 nobody waits for this
	return retry.Do(ping) // want "^RE-4: waits up to 52s in memory"
}

func aboveVariable() {
	//resilint:ignore RE-3 nobody waits for this
	var err = retry.Do(ping, retry.Attempts(6))
	_ = err
}

//resilint:ignore RE-3 nobody waits for this
var started = retry.Do(ping, retry.Attempts(6))

func ruleOfOtherFinding() error {
	/* want "^resilint: //resilint:ignore X3 silences nothing here: remove it$" */ //resilint:ignore X3 the pause grows anyway
	return retry.Do(ping, retry.Attempts(6))                                       // want "^RE-3: 6 attempts"
}

func oneOfTwoRulesUnused() error {
	/* want "^resilint: //resilint:ignore RE-4 silences nothing here: remove it$" */ //resilint:ignore RE-3,RE-4 the partner asks for six attempts
	return retry.Do(ping, retry.Attempts(6))
}

func nothingToSilence() error {
	/* want "^resilint: //resilint:ignore RE-3 silences nothing here: remove it$" */ //resilint:ignore RE-3 it was more once
	return retry.Do(ping, retry.Attempts(3))                                         // site "attempts=3"
}

func farAbove() error {
	/* want "^resilint: //resilint:ignore RE-3 silences nothing here" */ //resilint:ignore RE-3 the partner asks for six attempts

	return retry.Do(ping, retry.Attempts(6)) // want "^RE-3: 6 attempts"
}

func withoutReason() error {
	/* want "^resilint: //resilint:ignore RE-3 gives no reason: without one nothing is silenced$" */ //resilint:ignore RE-3
	return retry.Do(ping, retry.Attempts(6))                                                         // want "^RE-3: 6 attempts"
}

func withoutRule() error {
	/* want "^resilint: //resilint:ignore needs a rule and a reason, as in //resilint:ignore RE-3 the vendor asks" */ //resilint:ignore
	return retry.Do(ping, retry.Attempts(6))                                                                          // want "^RE-3: 6 attempts"
}

func unknownRule() error {
	/* want "^resilint: //resilint:ignore: .*retryattemts.*retryattempts" */ //resilint:ignore retryattemts the partner asks for six attempts
	return retry.Do(ping, retry.Attempts(6))                                 // want "^RE-3: 6 attempts"
}

// A comment above a function covers its first line only, not its body.
/* want "^resilint: //resilint:ignore RE-3 silences nothing here" */ //resilint:ignore RE-3 all of it
func aboveFunction() error {
	return retry.Do(ping, retry.Attempts(6)) // want "^RE-3: 6 attempts"
}

func anotherDirective() error {
	//resilint:ignored RE-3 no such directive
	return retry.Do(ping, retry.Attempts(6), retry.Delay(time.Millisecond)) // want "^RE-3: 6 attempts"
}

func untilLater() error {
	//resilint:ignore RE-3 until=2999-12-31 the partner mends it by then
	return retry.Do(ping, retry.Attempts(6))
}

func untilYesterday() error {
	//resilint:ignore RE-3 until=2020-02-29 the partner mends it by then
	return retry.Do(ping, retry.Attempts(6)) // want "^RE-3: 6 attempts.* \\(it was ignored until 2020-02-29\\)"
}

func untilWithoutReason() error {
	/* want "^resilint: //resilint:ignore RE-3 gives no reason" */ //resilint:ignore RE-3 until=2999-12-31
	return retry.Do(ping, retry.Attempts(6))                       // want "^RE-3: 6 attempts"
}

func untilNoDay() error {
	/* want "^resilint: //resilint:ignore RE-3: \"until=2027-02-30\" is no day: until=2027-03-01 is$" */ //resilint:ignore RE-3 until=2027-02-30 the partner mends it by then
	return retry.Do(ping, retry.Attempts(6))                                                             // want "^RE-3: 6 attempts"
}
