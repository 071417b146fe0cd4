package loop

import "strings"

// plain is a name in lower case, without underscores.
func plain(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

func contains(name string, parts ...string) bool {
	name = plain(name)
	for _, p := range parts {
		if strings.Contains(name, p) {
			return true
		}
	}
	return false
}

// statusNames are names of what holds an HTTP status.
func isStatus(name string) bool {
	switch plain(name) {
	case "statuscode", "httpstatuscode", "httpstatus", "httpcode", "getstatuscode", "respcode", "responsecode":
		return true
	}
	return false
}

// flag is what a name says of an answer: that it is good, bad, or that its value
// tells by comparison.
type flag uint8

const (
	noFlag flag = iota
	goodFlag
	badFlag
	codeFlag
	errorFlag // an error, or an error's text
)

func flagOf(name string) flag {
	switch plain(name) {
	case "success", "ok", "issuccess", "issuccessful", "successful", "isok":
		return goodFlag
	case "iserror", "failed", "isfailed", "fail", "isfailure", "failure", "haserror":
		return badFlag
	case "code", "errcode", "errorcode", "errno", "retcode", "resultcode", "getcode", "errnum", "rescode":
		return codeFlag
	case "err", "error", "errors", "errmsg", "errormsg", "errormessage", "geterror":
		return errorFlag
	}
	return noFlag
}

// successWords are what answers are compared with to see that they are good.
func isSuccessWord(s string) bool {
	switch strings.ToLower(s) {
	case "success", "ok", "0", "200", "", "true", "succeed", "succeeded":
		return true
	}
	return false
}

func isSuccessNumber(n float64) bool { return n == 0 || n >= 200 && n < 300 }

// errorTest is what a test of an error by this name says of a failure that may
// pass by itself: yes, no, or that nobody knows.
func errorTest(name string) (holds, known bool) {
	switch {
	case contains(name, "nonretry", "notretry", "unretry", "permanent", "fatal", "unrecoverable"):
		return false, true
	case contains(name, "retry", "retriable", "transient", "tempor", "timeout", "recoverable", "connection", "network", "unavailable", "refused", "reset"):
		return true, true
	case contains(name, "notfound", "notexist", "noent", "nosuch", "missing", "exist", "conflict", "lock", "busy", "unauth", "expired", "token",
		"auth", "login", "session", "forbidden", "denied", "canceled", "cancelled", "deadlineexceeded", "closed", "eof", "serializ", "deadlock",
		"duplicate", "invalid", "nonce", "stale", "norows", "pending", "notready", "processing", "inprogress", "abort"):
		return false, true
	}
	return false, false
}

// isOther reports whether a code is of another failure than one that may pass by
// itself: a state that is still to come, credentials that are refused, or a database that asks to run the
// transaction again (a serialization failure or a deadlock of PostgreSQL or
// CockroachDB).
func isOther(code string) bool {
	switch code {
	case "401", "403", "40001", "40P01", "CR000":
		return true
	}
	holds, known := errorTest(code)
	return known && !holds
}

// ends reports whether a function by this name never returns.
func ends(name string) bool {
	switch name {
	case "Fatal", "Fatalf", "Fatalln", "Fatalw", "FatalContext", "Exit", "Goexit", "FailNow", "Panic", "Panicf", "Panicln":
		return true
	}
	return false
}

// computes reports whether a function by this name reads or writes a text, and asks
// nobody.
func computes(name string) bool {
	name = plain(name)
	for _, p := range []string{"parse", "unmarshal", "marshal", "decode", "encode", "compile", "format", "validate"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// overwrites reports whether a function by this name puts something in the place of
// what was there.
func overwrites(name string) bool {
	name = plain(name)
	for _, p := range []string{"update", "patch", "replace", "apply", "put", "save", "swap", "compareand"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// awaits reports whether a function by this name fails for as long as what it asks
// for has not come: a lock, or a state.
func awaits(name string) bool {
	return contains(name, "lock", "acquire", "waitfor", "waituntil", "expect", "lease", "elect")
}

// listed tells whether a list by this name holds the statuses of failures.
func listed(name string) (failures, known bool) {
	switch {
	case contains(name, "retry", "retri", "error", "fail", "transient", "temporary"):
		return true, true
	case contains(name, "success", "ok", "accept", "valid", "expected", "good"):
		return false, true
	}
	return false, false
}

// renews reports whether a function by this name gets new credentials.
func renews(name string) bool {
	return contains(name, "login", "logon", "signin", "refresh", "authenticate", "authorize", "auth", "token", "credential", "session", "renew", "relogin", "handshake", "captcha", "cookie")
}

// connects reports whether a function by this name waits for the other side to be
// there.
func connects(name string) bool {
	name = plain(name)
	return strings.HasPrefix(name, "ping") || strings.HasPrefix(name, "dial") || strings.HasPrefix(name, "open") || contains(name, "connect", "listen", "healthcheck", "initdb", "setupdb")
}

// countsAttempts reports whether a variable by this name may count attempts.
func countsAttempts(name string) bool {
	switch name {
	case "", "i", "j", "k", "n", "x", "c", "_", "rangeindex", "rangeint.iter":
		return true
	}
	return contains(name, "attempt", "retr", "tries", "try", "count", "cnt", "times", "round", "iter", "num", "loop", "left", "remain", "fail", "err")
}

// isFresh reports whether a function by this name gives something else each time.
func isFresh(name string) bool {
	name = plain(name)
	if contains(name, "password", "passphrase", "prompt", "userinput") {
		return true // somebody types it
	}
	for _, p := range []string{"next", "pop", "recv", "receive", "read", "scan", "dequeue", "fetchmessage", "accept", "take", "poll", "consume", "text"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	return false
}

// pauses reports whether a function by this name, which is out of sight, waits.
func pauses(name string) bool { return contains(name, "sleep", "wait", "backoff", "delay", "pause") }
