package martlet

import (
	"context"

	"martlet.internal/go/martlet/internal/values"
	"martlet.internal/go/martletpb"
)

// Step is one statement of a batch.
type Step struct {
	Statement  *martletpb.Statement
	Parameters []any
	// Conditions are what must be true of earlier steps for this one to run; without any it always does.
	Conditions []*martletpb.Condition
	// Any is whether one condition is enough.
	Any bool
}

// StepResult is what a step did. Err is why it failed.
type StepResult struct {
	Result
	Columns []Column
	Rows    [][]any
	// Skipped is whether the step's conditions did not hold.
	Skipped bool
	Err     error
}

// Batch runs statements in one round trip. An atomic one is undone as a whole at the first step that fails, which is its
// error; of another one each step says for itself how it went.
func (e *executor) Batch(ctx context.Context, atomic bool, steps ...Step) ([]StepResult, error) {
	if err := e.tx.over(); err != nil {
		return nil, err
	}
	batch := &martletpb.Batch{
		Atomic: atomic, Transaction: e.transaction, Credit: e.connection.window,
		DeadlineMs: deadlineMs(ctx), DeadlineMayShrink: true,
	}
	for _, step := range steps {
		content, err := serialize(step.Statement)
		if err != nil {
			return nil, err
		}
		parameters, err := encode(step.Parameters)
		if err != nil {
			return nil, err
		}
		batch.Steps = append(batch.Steps, &martletpb.Step{
			Source: &martletpb.Step_Statement{Statement: content}, Parameters: parameters,
			Conditions: step.Conditions, Any: step.Any,
		})
	}
	message := &martletpb.ClientMessage{Kind: &martletpb.ClientMessage_Batch{Batch: batch}}
	sent, err := e.connection.send(ctx, request{
		message: message, credit: batch.Credit, messages: messagesOfEachStep*len(steps) + messagesOfOneAnswer,
	})
	if err != nil {
		return nil, err
	}
	results := make([]StepResult, len(steps))
	for {
		reply, err := sent.receive(ctx)
		if err != nil {
			return nil, err
		}
		if reply.Step == 0 && reply.Completion != nil {
			if sent.wasCancelled {
				return nil, contextError(ctx, true)
			}
			return results, nil
		}
		if err := sent.acceptStep(reply, results); err != nil {
			e.connection.fail(err)
			return nil, err.afterSending()
		}
	}
}

// acceptStep takes what is in one message for one step.
func (c *call) acceptStep(reply *martletpb.ServerMessage, results []StepResult) *Error {
	if reply.Step == 0 || uint64(reply.Step) > uint64(len(results)) {
		return connectionError("The server answered a step that the batch does not have.", nil)
	}
	result := &results[reply.Step-1]
	if reply.Columns != nil {
		result.Columns = columnsOf(reply.Columns)
	}
	if reply.Rows != nil {
		batch, err := values.NewBatch(reply.Rows)
		if err != nil || batch.Columns != len(result.Columns) {
			return connectionError("The server sent rows that do not fit their columns.", err)
		}
		for row := 0; row < batch.Rows; row++ {
			result.Rows = append(result.Rows, batch.Row(row))
		}
		c.extend(batch.Credit)
	}
	if reply.Error != nil {
		result.Err = serverError(reply.Error)
	}
	if reply.Completion != nil {
		result.Result, result.Skipped = resultOf(reply.Completion), reply.Completion.Skipped
	}
	return nil
}
