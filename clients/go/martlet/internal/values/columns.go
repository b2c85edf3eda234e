package values

import (
	"fmt"
	"math"

	"martlet.internal/go/martletpb"
)

// rowBatch packs rows column by column.
func rowBatch(rows [][]any) (*martletpb.RowBatch, error) {
	batch := &martletpb.RowBatch{RowCount: uint32(len(rows))}
	if len(rows) == 0 {
		return batch, nil
	}
	for index, row := range rows {
		if len(row) != len(rows[0]) {
			return nil, fmt.Errorf("row %d has %d values, and the first has %d", index, len(row), len(rows[0]))
		}
	}
	values := make([]any, len(rows))
	for column := range rows[0] {
		for index, row := range rows {
			value, err := plain(row[column])
			if err != nil {
				return nil, fmt.Errorf("row %d, value %d: %w", index, column, err)
			}
			values[index] = value
		}
		packed, err := columnValues(values)
		if err != nil {
			return nil, err
		}
		batch.Columns = append(batch.Columns, packed)
	}
	return batch, nil
}

// columnValues packs the values of one column. It marks NULLs in bits if the rest is of one kind, and says each kind if not.
func columnValues(values []any) (*martletpb.ColumnValues, error) {
	var counts [martletpb.ColumnKind_COLUMN_KIND_MIXED]int
	kind := martletpb.ColumnKind_COLUMN_KIND_NULL
	kinds := 0
	for _, value := range values {
		one := kindOf(value)
		if counts[one] == 0 && one != martletpb.ColumnKind_COLUMN_KIND_NULL {
			kind = one
			kinds++
		}
		counts[one]++
	}
	if kinds > 1 {
		kind = martletpb.ColumnKind_COLUMN_KIND_MIXED
	}
	column := &martletpb.ColumnValues{Kind: kind}
	if kind == martletpb.ColumnKind_COLUMN_KIND_NULL {
		return column, nil
	}
	if kind == martletpb.ColumnKind_COLUMN_KIND_MIXED {
		column.Tags = make([]byte, len(values))
	} else if counts[martletpb.ColumnKind_COLUMN_KIND_NULL] > 0 {
		column.Nulls = make([]byte, (len(values)+7)/8)
	}
	if counts[martletpb.ColumnKind_COLUMN_KIND_INTEGER] > 0 {
		column.Integers = make([]int64, len(values))
	}
	if counts[martletpb.ColumnKind_COLUMN_KIND_REAL] > 0 {
		column.Reals = make([]float64, len(values))
	}
	if counts[martletpb.ColumnKind_COLUMN_KIND_TEXT]+counts[martletpb.ColumnKind_COLUMN_KIND_BLOB] > 0 {
		column.Ends = make([]uint32, len(values))
	}
	return column, fill(column, values)
}

// fill writes the values into the arrays that the column has.
func fill(column *martletpb.ColumnValues, values []any) error {
	for row, value := range values {
		switch value := value.(type) {
		case nil:
			if column.Nulls != nil {
				column.Nulls[row/8] |= 1 << (row % 8)
			}
		case int64:
			column.Integers[row] = value
		case float64:
			column.Reals[row] = value
		case string:
			column.Data = append(column.Data, value...)
		case []byte:
			column.Data = append(column.Data, value...)
		}
		if column.Tags != nil {
			column.Tags[row] = byte(kindOf(value))
		}
		if column.Ends != nil {
			if len(column.Data) > math.MaxUint32 {
				return fmt.Errorf("a list holds more than 4 GiB")
			}
			column.Ends[row] = uint32(len(column.Data))
		}
	}
	return nil
}

func kindOf(plain any) martletpb.ColumnKind {
	switch plain.(type) {
	case int64:
		return martletpb.ColumnKind_COLUMN_KIND_INTEGER
	case float64:
		return martletpb.ColumnKind_COLUMN_KIND_REAL
	case string:
		return martletpb.ColumnKind_COLUMN_KIND_TEXT
	case []byte:
		return martletpb.ColumnKind_COLUMN_KIND_BLOB
	}
	return martletpb.ColumnKind_COLUMN_KIND_NULL
}
