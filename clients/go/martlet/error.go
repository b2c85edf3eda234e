package martlet

import (
	"context"
	"errors"

	"martlet.internal/go/martlet/internal/transport"
	"martlet.internal/go/martletpb"
)

// Code is gRPC's number for a kind of error.
type Code uint32

// The codes that a server answers with.
const (
	CodeCancelled          Code = 1
	CodeUnknown            Code = 2
	CodeInvalidArgument    Code = 3
	CodeDeadlineExceeded   Code = 4
	CodeNotFound           Code = 5
	CodeAlreadyExists      Code = 6
	CodePermissionDenied   Code = 7
	CodeResourceExhausted  Code = 8
	CodeFailedPrecondition Code = 9
	CodeAborted            Code = 10
	CodeOutOfRange         Code = 11
	CodeUnimplemented      Code = 12
	CodeInternal           Code = 13
	CodeUnavailable        Code = 14
	CodeDataLoss           Code = 15
	CodeUnauthenticated    Code = 16
)

// The reasons that this package has a use for itself; proto/README.md says where the server's others stand.
const (
	// ReasonConnection is this package's own: there is no connection, or none any more.
	ReasonConnection = "CONNECTION"
	// ReasonTLS is this package's own too: one side did not prove who it is, or a setting is wrong.
	ReasonTLS = "TLS"

	ReasonCancelled        = "CANCELLED"
	ReasonDeadline         = "DEADLINE"
	ReasonLimit            = "LIMIT"
	ReasonMalformed        = "MALFORMED"
	ReasonTransactionEnded = "TRANSACTION_ENDED"

	reasonUnknownTransaction = "UNKNOWN_TRANSACTION"
	reasonUnprepared         = "UNPREPARED"
)

// Error is every error of this package: what the server answered, or what is wrong with the connection or a call.
//
// Compare Code and Reason, never Message. errors.Is finds context.Canceled and context.DeadlineExceeded in those that a
// cancel or a deadline made, and the system's own error in those of the connection.
type Error struct {
	Code    Code
	Reason  string
	Message string
	// SQLiteCode is SQLite's extended code; 0 where SQLite had no part.
	SQLiteCode int32
	// Path is the node of the statement's tree at fault, such as select.where.call.arguments[1].
	Path string
	// Constraint, Table and Column are what a constraint that failed is about.
	Constraint, Table, Column string
	// Retryable is whether the same request may succeed if it is sent again.
	Retryable bool
	// OutcomeUnknown is whether a write may have happened or not.
	OutcomeUnknown bool

	cause error
}

func (e *Error) Error() string {
	if e.Path != "" {
		return e.Reason + " at " + e.Path + ": " + e.Message
	}
	return e.Reason + ": " + e.Message
}

// Unwrap gives the error below, if there is one.
func (e *Error) Unwrap() error { return e.cause }

// Is finds the context's errors in what the server says of a request that it ended for them.
func (e *Error) Is(target error) bool {
	return target == context.Canceled && e.Reason == ReasonCancelled ||
		target == context.DeadlineExceeded && e.Reason == ReasonDeadline
}

// serverError is what the server answered.
func serverError(message *martletpb.Error) *Error {
	return &Error{
		Code: Code(message.Code), Reason: message.Reason, Message: message.Message, SQLiteCode: message.SqliteCode,
		Path: message.Path, Constraint: message.Constraint, Table: message.Table, Column: message.Column,
		Retryable: message.Retryable, OutcomeUnknown: message.OutcomeUnknown,
	}
}

// connectionError is one of the network, or of a server that does not keep to the protocol.
func connectionError(message string, cause error) *Error {
	if cause != nil {
		message += ": " + cause.Error() + "."
	}
	return &Error{Code: CodeUnavailable, Reason: ReasonConnection, Message: message, Retryable: true, cause: cause}
}

// openingError is why there is no connection.
func openingError(ctx context.Context, message, url string, cause error) *Error {
	var known *Error
	if errors.As(cause, &known) {
		return known
	}
	if ctx.Err() != nil {
		return contextError(ctx, false)
	}
	var handshake *transport.HandshakeError
	if errors.As(cause, &handshake) || transport.IsAlert(cause) {
		message := "There is no TLS with " + url + ": " + cause.Error() + "."
		return &Error{Code: CodeUnavailable, Reason: ReasonTLS, Message: message, cause: cause}
	}
	return connectionError(message+" "+url, cause)
}

// callError is a call that cannot be sent, because something is wrong with it.
func callError(reason, message string, cause error) *Error {
	if cause != nil {
		message += ": " + cause.Error() + "."
	}
	return &Error{Code: CodeInvalidArgument, Reason: reason, Message: message, cause: cause}
}

// contextError is a request that its context ended.
func contextError(ctx context.Context, outcomeUnknown bool) *Error {
	err := &Error{
		Code: CodeCancelled, Reason: ReasonCancelled, Message: "The context was cancelled.",
		OutcomeUnknown: outcomeUnknown, cause: ctx.Err(),
	}
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		err.Code, err.Reason, err.Message = CodeDeadlineExceeded, ReasonDeadline, "The context's deadline has passed."
	}
	return err
}

// beforeSending is the connection's error to a request that was not sent: nothing happened.
func (e *Error) beforeSending() *Error {
	copied := *e
	copied.OutcomeUnknown = false
	return &copied
}

// afterSending is the connection's error to a request whose answer will not come.
func (e *Error) afterSending() *Error {
	copied := *e
	copied.Retryable, copied.OutcomeUnknown = false, true
	return &copied
}
