package martlet

import (
	"google.golang.org/protobuf/proto"

	"martlet.internal/go/martlet/internal/values"
	"martlet.internal/go/martletpb"
)

// Raw is a statement of SQL text; a server may deny it. Its values are written ?1, ?2 and travel beside it.
func Raw(sql string) *martletpb.Statement {
	part := &martletpb.Raw_Part{Kind: &martletpb.Raw_Part_Sql{Sql: sql}}
	raw := &martletpb.Raw{Parts: []*martletpb.Raw_Part{part}}
	return &martletpb.Statement{Kind: &martletpb.Statement_Raw{Raw: raw}}
}

// List is a slice as a list parameter, such as the values of IN.
func List[T any](elements []T) []any {
	list := make([]any, len(elements))
	for i, element := range elements {
		list[i] = element
	}
	return list
}

// LastInsertRowID is a parameter in a batch: the rowid that an earlier step, counted from 1, has inserted.
func LastInsertRowID(step uint32) *martletpb.StepReference {
	return &martletpb.StepReference{Step: step, Field: martletpb.StepReference_FIELD_LAST_INSERT_ROWID}
}

// RowsChanged is a parameter in a batch: how many rows an earlier step, counted from 1, has changed.
func RowsChanged(step uint32) *martletpb.StepReference {
	return &martletpb.StepReference{Step: step, Field: martletpb.StepReference_FIELD_ROWS_CHANGED}
}

// FirstRow is a parameter in a batch: a column, counted from 0, of the first row of an earlier step, counted from 1.
func FirstRow(step, column uint32) *martletpb.StepReference {
	return &martletpb.StepReference{Step: step, Field: martletpb.StepReference_FIELD_FIRST_ROW, Column: column}
}

// serialize makes the bytes by which the server knows a statement; equal trees have the same.
func serialize(statement *martletpb.Statement) ([]byte, error) {
	content, err := proto.MarshalOptions{Deterministic: true}.Marshal(statement)
	if err != nil {
		return nil, callError(ReasonMalformed, "The statement is no tree", err)
	}
	return content, nil
}

func encode(parameters []any) ([]*martletpb.Value, error) {
	encoded := make([]*martletpb.Value, len(parameters))
	for i, parameter := range parameters {
		value, err := values.Parameter(parameter)
		if err != nil {
			return nil, callError(ReasonMalformed, "A parameter is refused", err)
		}
		encoded[i] = value
	}
	return encoded, nil
}
