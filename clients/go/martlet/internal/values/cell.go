package values

import (
	"fmt"

	"martlet.internal/go/martletpb"
)

// Cell is one value of a row.
type Cell struct {
	kind    martletpb.ColumnKind
	integer int64
	real    float64
	bytes   []byte
}

// scanner is database/sql's, so that its types for NULLs work here.
type scanner interface{ Scan(value any) error }

// Value is the value as nil, int64, float64, string or []byte, which is a copy.
func (c Cell) Value() any {
	switch c.kind {
	case martletpb.ColumnKind_COLUMN_KIND_INTEGER:
		return c.integer
	case martletpb.ColumnKind_COLUMN_KIND_REAL:
		return c.real
	case martletpb.ColumnKind_COLUMN_KIND_TEXT:
		return string(c.bytes)
	case martletpb.ColumnKind_COLUMN_KIND_BLOB:
		return append([]byte{}, c.bytes...)
	}
	return nil
}

// Scan writes the value where the target points, and fails where it would have to become another one.
func (c Cell) Scan(target any) error {
	isInteger := c.kind == martletpb.ColumnKind_COLUMN_KIND_INTEGER
	isText := c.kind == martletpb.ColumnKind_COLUMN_KIND_TEXT
	fits := false
	switch target := target.(type) {
	case *any:
		*target, fits = c.Value(), true
	case *int64:
		if fits = isInteger; fits {
			*target = c.integer
		}
	case *int:
		if fits = isInteger && int64(int(c.integer)) == c.integer; fits {
			*target = int(c.integer)
		}
	case *bool:
		if fits = isInteger && c.integer>>1 == 0; fits {
			*target = c.integer == 1
		}
	case *float64:
		if c.kind == martletpb.ColumnKind_COLUMN_KIND_REAL {
			*target, fits = c.real, true
		} else if real := float64(c.integer); isInteger && real < 1<<63 && int64(real) == c.integer {
			*target, fits = real, true
		}
	case *string:
		if fits = isText; fits {
			*target = string(c.bytes)
		}
	case *[]byte:
		if c.kind == martletpb.ColumnKind_COLUMN_KIND_NULL {
			*target, fits = nil, true
		} else if fits = isText || c.kind == martletpb.ColumnKind_COLUMN_KIND_BLOB; fits {
			*target = append([]byte{}, c.bytes...)
		}
	case **int64:
		return scanNullable(c, target)
	case **int:
		return scanNullable(c, target)
	case **bool:
		return scanNullable(c, target)
	case **float64:
		return scanNullable(c, target)
	case **string:
		return scanNullable(c, target)
	case scanner:
		return target.Scan(c.Value())
	}
	if !fits {
		return fmt.Errorf("%s does not fit into %T", c.describe(), target)
	}
	return nil
}

// scanNullable makes the pointer nil for NULL.
func scanNullable[T any](cell Cell, target **T) error {
	if cell.kind == martletpb.ColumnKind_COLUMN_KIND_NULL {
		*target = nil
		return nil
	}
	value := new(T)
	if err := cell.Scan(value); err != nil {
		return err
	}
	*target = value
	return nil
}

// describe says what the value is, and not which.
func (c Cell) describe() string {
	switch c.kind {
	case martletpb.ColumnKind_COLUMN_KIND_INTEGER:
		return "an integer"
	case martletpb.ColumnKind_COLUMN_KIND_REAL:
		return "a real"
	case martletpb.ColumnKind_COLUMN_KIND_TEXT:
		return "a text"
	case martletpb.ColumnKind_COLUMN_KIND_BLOB:
		return "a blob"
	}
	return "NULL"
}
