package martlet

import "errors"

// ErrNoRows is what Row.Scan gives where there is no row.
var ErrNoRows = errors.New("the statement has no rows")

// Row is the first row of a statement.
type Row struct {
	rows *Rows
	err  error
}

// Scan reads the row as Rows.Scan does, and gives what the statement failed for, or ErrNoRows. Call it once.
func (r Row) Scan(targets ...any) error {
	if r.err != nil {
		return r.err
	}
	defer r.rows.Close()
	if !r.rows.Next() {
		if r.rows.Err() != nil {
			return r.rows.Err()
		}
		return ErrNoRows
	}
	return r.rows.Scan(targets...)
}
