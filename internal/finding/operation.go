package finding

// An Operation is one request that an attempt of a site may send.
type Operation struct {
	Method    string
	Path      string
	Key       string // none, maybe, stable, unstable, constant, per-call
	KeySource string // where the key comes from, as the code says it
	System    string // its name in the configuration, else the host; "" when the code fixes none
	Send      Position
}
