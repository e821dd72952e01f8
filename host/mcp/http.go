package mcphost

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// DefaultIdleTime is how long an HTTP session without requests is kept.
const DefaultIdleTime = 2 * time.Hour

// HTTPOptions are the habits of [HTTPHandler]; the zero value has the defaults.
type HTTPOptions struct {
	// Tokens are the bearer tokens that are let in, each a user of its own: a
	// session belongs to the token that began it. None, and no Verify, means no
	// authentication; such a server belongs on the loopback address.
	Tokens []string
	// Verify checks tokens instead of Tokens.
	Verify auth.TokenVerifier
	// Origins are the origins of web pages that may call, as
	// "https://app.example", beside those of this machine.
	Origins []string
	// IdleTime is how long a session without requests is kept; 0 means
	// [DefaultIdleTime].
	IdleTime time.Duration
	// MaxMessageBytes limits the body of a request; 0 means
	// [DefaultMaxMessageBytes].
	MaxMessageBytes int
	// Stateless makes a session of every request. [Options.Session] then tells
	// who is calling.
	Stateless bool
}

// HTTPHandler serves server over streamable HTTP, to many clients with a session
// each. It refuses requests that a web page of a foreign origin makes through
// its visitor's browser, requests under a foreign name on the loopback address,
// and, given tokens, requests without one. nil options mean the defaults.
func HTTPHandler(server *mcp.Server, opts *HTTPOptions) http.Handler {
	var o HTTPOptions
	if opts != nil {
		o = *opts
	}
	if o.IdleTime == 0 {
		o.IdleTime = DefaultIdleTime
	}
	if o.MaxMessageBytes == 0 {
		o.MaxMessageBytes = DefaultMaxMessageBytes
	}
	var h http.Handler = mcp.NewStreamableHTTPHandler(
		func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{
			Stateless: o.Stateless, SessionTimeout: o.IdleTime, MaxRequestBodyBytes: int64(o.MaxMessageBytes),
		})
	if verify := o.verifier(); verify != nil {
		h = challenged(auth.RequireBearerToken(verify, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})(h))
	}
	return ofOrigins(o.Origins, h)
}

func (o *HTTPOptions) verifier() auth.TokenVerifier {
	if o.Verify != nil || len(o.Tokens) == 0 {
		return o.Verify
	}
	sums := make([][sha256.Size]byte, len(o.Tokens))
	for i, t := range o.Tokens {
		sums[i] = sha256.Sum256([]byte(t))
	}
	return func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		given, user := sha256.Sum256([]byte(token)), ""
		for i := range sums { // all of them, so that the time tells nothing
			if subtle.ConstantTimeCompare(given[:], sums[i][:]) == 1 {
				user = hex.EncodeToString(sums[i][:16])
			}
		}
		if user == "" {
			return nil, auth.ErrInvalidToken
		}
		return &auth.TokenInfo{UserID: user}, nil
	}
}

// challenged adds to refusals the header that says how to come in, which HTTP
// demands.
func challenged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(&challenge{ResponseWriter: w}, r)
	})
}

type challenge struct{ http.ResponseWriter }

// WriteHeader implements [http.ResponseWriter].
func (c *challenge) WriteHeader(status int) {
	if status == http.StatusUnauthorized && c.Header().Get("WWW-Authenticate") == "" {
		c.Header().Set("WWW-Authenticate", "Bearer")
	}
	c.ResponseWriter.WriteHeader(status)
}

// Unwrap lets [http.ResponseController] reach the writer below.
func (c *challenge) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// Flush implements [http.Flusher]: events must not wait for more.
func (c *challenge) Flush() { _ = http.NewResponseController(c.ResponseWriter).Flush() }

// ofOrigins refuses requests that a web page of another origin makes through its
// visitor's browser. Programs send no Origin.
func ofOrigins(allowed []string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, origin := range r.Header.Values("Origin") {
			if !loopback(origin) && !slices.ContainsFunc(allowed, func(a string) bool { return strings.EqualFold(a, origin) }) {
				http.Error(w, "Forbidden: pages of this origin may not call", http.StatusForbidden)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

func loopback(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil {
		return false
	}
	host := u.Hostname()
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
