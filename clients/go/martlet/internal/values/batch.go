package values

import (
	"errors"

	"martlet.internal/go/martletpb"
)

// rowsMax bounds the rows of one batch: a column of NULLs takes no bytes however many rows it has.
const rowsMax = 1 << 24

var errMalformed = errors.New("the server sent rows that are malformed")

// Batch is rows as they came, column by column.
//
// Always true: it is well-formed, so that any of its cells can be read.
type Batch struct {
	// Rows and Columns are how many there are.
	Rows, Columns int
	// Credit is what the batch uses up of it, counted as the server counts.
	Credit int

	columns []*martletpb.ColumnValues
}

// NewBatch looks a batch over, and fails where it is malformed.
func NewBatch(message *martletpb.RowBatch) (Batch, error) {
	if message.RowCount > rowsMax {
		return Batch{}, errMalformed
	}
	for _, column := range message.Columns {
		if !isWellFormed(column, int(message.RowCount)) {
			return Batch{}, errMalformed
		}
	}
	return Batch{
		Rows: int(message.RowCount), Columns: len(message.Columns), Credit: CreditOf(message), columns: message.Columns,
	}, nil
}

// CreditOf is what a batch uses up of the credit, whether it is well-formed or not.
func CreditOf(message *martletpb.RowBatch) int {
	total := 8
	for _, column := range message.Columns {
		total += 8 + len(column.Nulls) + len(column.Tags) + len(column.Data)
		total += 8*(len(column.Integers)+len(column.Reals)) + 4*len(column.Ends)
	}
	return total
}

// isWellFormed is whether each array has a slot for every row, or is empty where no row needs it.
func isWellFormed(column *martletpb.ColumnValues, rows int) bool {
	if column.Kind < martletpb.ColumnKind_COLUMN_KIND_NULL || column.Kind > martletpb.ColumnKind_COLUMN_KIND_MIXED {
		return false
	}
	var present [martletpb.ColumnKind_COLUMN_KIND_MIXED]bool
	if column.Kind == martletpb.ColumnKind_COLUMN_KIND_MIXED {
		if len(column.Tags) != rows || len(column.Nulls) != 0 {
			return false
		}
		for _, tag := range column.Tags {
			if int(tag) >= len(present) {
				return false
			}
			present[tag] = true
		}
	} else {
		present[column.Kind] = true
	}
	if len(column.Nulls) != 0 && len(column.Nulls) != (rows+7)/8 {
		return false
	}
	fits := func(count int, needed bool) bool { return count == rows || (count == 0 && !needed) }
	hasBytes := present[martletpb.ColumnKind_COLUMN_KIND_TEXT] || present[martletpb.ColumnKind_COLUMN_KIND_BLOB]
	if !fits(len(column.Integers), present[martletpb.ColumnKind_COLUMN_KIND_INTEGER]) ||
		!fits(len(column.Reals), present[martletpb.ColumnKind_COLUMN_KIND_REAL]) || !fits(len(column.Ends), hasBytes) {
		return false
	}
	last := uint32(0)
	for _, end := range column.Ends {
		if end < last {
			return false
		}
		last = end
	}
	return uint64(last) <= uint64(len(column.Data))
}

// Cell is the value of one row in one column, both counted from 0. Its bytes are the batch's own.
func (b Batch) Cell(row, column int) Cell {
	values := b.columns[column]
	kind := values.Kind
	if kind == martletpb.ColumnKind_COLUMN_KIND_MIXED {
		kind = martletpb.ColumnKind(values.Tags[row])
	} else if len(values.Nulls) > 0 && values.Nulls[row/8]>>(row%8)&1 == 1 {
		kind = martletpb.ColumnKind_COLUMN_KIND_NULL
	}
	cell := Cell{kind: kind}
	switch kind {
	case martletpb.ColumnKind_COLUMN_KIND_INTEGER:
		cell.integer = values.Integers[row]
	case martletpb.ColumnKind_COLUMN_KIND_REAL:
		cell.real = values.Reals[row]
	case martletpb.ColumnKind_COLUMN_KIND_TEXT, martletpb.ColumnKind_COLUMN_KIND_BLOB:
		start := uint32(0)
		if row > 0 {
			start = values.Ends[row-1]
		}
		cell.bytes = values.Data[start:values.Ends[row]]
	}
	return cell
}

// Row is the values of one row: nil, int64, float64, string and []byte, which are copies.
func (b Batch) Row(row int) []any {
	values := make([]any, b.Columns)
	for column := range values {
		values[column] = b.Cell(row, column).Value()
	}
	return values
}
