// Package values turns Go's values into the protocol's and back.
package values

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"unicode/utf8"

	"martlet.internal/go/martletpb"
)

// Parameter is a Go value as the protocol has it: nil, bool, integers, floats, string and []byte, a []any for a list, a
// [][]any for rows, and what refers to an earlier step of a batch.
func Parameter(value any) (*martletpb.Value, error) {
	switch value := value.(type) {
	case []any:
		rows := make([][]any, len(value))
		for i := range value {
			rows[i] = value[i : i+1]
		}
		return list(rows)
	case [][]any:
		return list(value)
	case *martletpb.StepReference:
		return &martletpb.Value{Kind: &martletpb.Value_Reference{Reference: value}}, nil
	}
	one, err := plain(value)
	if err != nil {
		return nil, err
	}
	switch one := one.(type) {
	case int64:
		return &martletpb.Value{Kind: &martletpb.Value_Integer{Integer: one}}, nil
	case float64:
		return &martletpb.Value{Kind: &martletpb.Value_Real{Real: one}}, nil
	case string:
		return &martletpb.Value{Kind: &martletpb.Value_Text{Text: []byte(one)}}, nil
	case []byte:
		return &martletpb.Value{Kind: &martletpb.Value_Blob{Blob: one}}, nil
	}
	return &martletpb.Value{Kind: &martletpb.Value_Null{Null: true}}, nil
}

func list(rows [][]any) (*martletpb.Value, error) {
	batch, err := rowBatch(rows)
	return &martletpb.Value{Kind: &martletpb.Value_Rows{Rows: batch}}, err
}

// plain is the value as nil, int64, float64, string or []byte, and an error where SQLite has none like it.
func plain(value any) (any, error) {
	switch value := value.(type) {
	case nil, int64:
		return value, nil
	case []byte:
		// A nil slice is an empty blob; NULL is nil itself.
		return value, nil
	case string:
		return text(value)
	case float64:
		return real64(value)
	}
	found := reflect.ValueOf(value)
	switch found.Kind() {
	case reflect.Bool:
		if found.Bool() {
			return int64(1), nil
		}
		return int64(0), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return found.Int(), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if found.Uint() > math.MaxInt64 {
			return nil, fmt.Errorf("%d is larger than SQLite's largest integer", found.Uint())
		}
		return int64(found.Uint()), nil
	case reflect.Float32, reflect.Float64:
		return real64(found.Float())
	case reflect.String:
		return text(found.String())
	case reflect.Slice:
		if found.Type().Elem().Kind() == reflect.Uint8 {
			return found.Bytes(), nil
		}
	}
	return nil, fmt.Errorf("%T cannot be a parameter", value)
}

// real64 refuses NaN, of which SQLite would make NULL without a word.
func real64(value float64) (any, error) {
	if math.IsNaN(value) {
		return nil, errors.New("NaN cannot be a parameter: SQLite has no such value; nil is NULL")
	}
	return value, nil
}

// text refuses what the server would, which has no place for it.
func text(value string) (any, error) {
	if !utf8.ValidString(value) {
		return nil, errors.New("a text that is not UTF-8 cannot be a parameter; give []byte, which is a blob")
	}
	return value, nil
}
