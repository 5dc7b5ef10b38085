package festinger

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Error says why the server refused a call, or that it could not be reached.
type Error struct {
	// Code is the canonical gRPC code.
	Code codes.Code
	// Reason is the name of an ErrorReason without its prefix, such as "FACT_SYNTAX".
	// It is empty if the error is not the server's.
	Reason string
	// Message says what was wrong and what to do.
	Message string
	// RetryAfter is how long to wait before another try; 0 if the server did not say.
	RetryAfter time.Duration

	cause error
}

func (it *Error) Error() string {
	if it.Reason == "" {
		return "festinger: " + it.Code.String() + ": " + it.Message
	}
	return "festinger: " + it.Reason + ": " + it.Message
}

// Unwrap returns gRPC's own error.
func (it *Error) Unwrap() error { return it.cause }

// Unavailable reports whether a call failed for now, and may be tried again.
func Unavailable(err error) bool {
	var found *Error
	return errors.As(err, &found) && found.Code == codes.Unavailable
}

// tries limits the repetitions of a call that finds no server.
const tries = 4

// try repeats a call while the server asks to come again, or is away, until the
// context's deadline.
func try[Response any](ctx context.Context, repeatable bool, call func() (Response, error)) (Response, error) {
	away := 0
	for {
		answer, err := call()
		var failed *Error
		if !errors.As(err, &failed) {
			return answer, err
		}
		pause := failed.RetryAfter
		if pause == 0 {
			if away++; !repeatable || failed.Code != codes.Unavailable || away == tries {
				return answer, err
			}
			pause = time.Duration(away*away) * 200 * time.Millisecond
		}
		// Clients that were refused together must not come again together.
		pause += rand.N(pause)
		if end, limited := ctx.Deadline(); limited && time.Until(end) < pause {
			return answer, err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return answer, err
		}
	}
}

func explain(err error) *Error {
	return explainStatus(status.Convert(err), err)
}

func explainStatus(told *status.Status, cause error) *Error {
	found := &Error{Code: told.Code(), Message: told.Message(), cause: cause}
	for _, detail := range told.Details() {
		switch it := detail.(type) {
		case *errdetails.ErrorInfo:
			if it.GetDomain() == "festinger" {
				found.Reason = strings.TrimPrefix(it.GetReason(), "ERROR_REASON_")
			}
		case *errdetails.RetryInfo:
			found.RetryAfter = it.GetRetryDelay().AsDuration()
		}
	}
	return found
}
