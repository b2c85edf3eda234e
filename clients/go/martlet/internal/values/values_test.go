package values

import (
	"math"
	"math/rand"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"martlet.internal/go/martletpb"
)

// overTheWire are the rows of a list parameter as a server would read them.
func overTheWire(t *testing.T, rows [][]any) Batch {
	t.Helper()
	value, err := Parameter(rows)
	if err != nil {
		t.Fatal(err)
	}
	content, err := proto.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	read := new(martletpb.Value)
	if err := proto.Unmarshal(content, read); err != nil {
		t.Fatal(err)
	}
	batch, err := NewBatch(read.GetRows())
	if err != nil {
		t.Fatal(err)
	}
	return batch
}

func TestRowsComeBackAsTheyWentIn(t *testing.T) {
	thirds := make([][]any, 100)
	for i := range thirds {
		thirds[i] = []any{int64(i), nil, strings.Repeat("x", i)}
		if i%3 == 0 {
			thirds[i][1] = 1.5
		}
	}
	for _, rows := range [][][]any{
		{},
		{{int64(1)}},
		{
			{nil, "", []byte{}}, {int64(math.MaxInt64), "a\x00b", []byte{0, 255}},
			{int64(math.MinInt64), "é 日本 👍", []byte("x")},
		},
		{{1.5}, {"one"}, {nil}, {int64(2)}, {[]byte("b")}, {math.Inf(-1)}},
		{{nil}, {nil}},
		{{}, {}, {}},
		thirds,
	} {
		batch := overTheWire(t, rows)
		if batch.Rows != len(rows) {
			t.Fatalf("%d rows of %d", batch.Rows, len(rows))
		}
		for i := range rows {
			if found := batch.Row(i); !reflect.DeepEqual(found, rows[i]) {
				t.Errorf("row %d: %#v and not %#v", i, found, rows[i])
			}
		}
	}
}

func TestAColumnOfOneKindMarksItsNullsInBits(t *testing.T) {
	batch, err := NewBatch(&martletpb.RowBatch{RowCount: 10, Columns: []*martletpb.ColumnValues{{
		Kind: martletpb.ColumnKind_COLUMN_KIND_INTEGER, Integers: []int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, Nulls: []byte{2, 2},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	for row := 0; row < 10; row++ {
		if isNull := batch.Row(row)[0] == nil; isNull != (row == 1 || row == 9) {
			t.Errorf("row %d: %v", row, batch.Row(row))
		}
	}
}

func TestCreditIsCountedAsTheServerCountsIt(t *testing.T) {
	batch := &martletpb.RowBatch{RowCount: 2}
	if found := CreditOf(batch); found != 8 {
		t.Error(found)
	}
	batch.Columns = []*martletpb.ColumnValues{{
		Kind: martletpb.ColumnKind_COLUMN_KIND_TEXT, Ends: []uint32{1, 3}, Data: []byte("abc"), Nulls: []byte{0},
	}}
	if found := CreditOf(batch); found != 8+8+1+3+4*2 {
		t.Error(found)
	}
}

type (
	number int8
	name   string
)

func TestParametersTakeTheKindOfTheirGoType(t *testing.T) {
	for _, example := range []struct{ value, wanted any }{
		{nil, &martletpb.Value_Null{Null: true}},
		{true, &martletpb.Value_Integer{Integer: 1}},
		{false, &martletpb.Value_Integer{Integer: 0}},
		{1, &martletpb.Value_Integer{Integer: 1}},
		{number(-7), &martletpb.Value_Integer{Integer: -7}},
		{uint64(math.MaxInt64), &martletpb.Value_Integer{Integer: math.MaxInt64}},
		{float32(0.5), &martletpb.Value_Real{Real: 0.5}},
		{math.Inf(1), &martletpb.Value_Real{Real: math.Inf(1)}},
		{"x\x00", &martletpb.Value_Text{Text: []byte("x\x00")}},
		{name("x"), &martletpb.Value_Text{Text: []byte("x")}},
		{[]byte("x"), &martletpb.Value_Blob{Blob: []byte("x")}},
	} {
		found, err := Parameter(example.value)
		if err != nil || !reflect.DeepEqual(found.Kind, example.wanted) {
			t.Errorf("%#v: %v, %v", example.value, found, err)
		}
	}
}

func TestWhatIsNoValueIsRefused(t *testing.T) {
	one := 1
	for _, value := range []any{
		math.NaN(), float32(math.NaN()), []any{1.0, math.NaN()}, [][]any{{1, math.NaN()}}, uint64(math.MaxInt64 + 1),
		"\xff", []any{"\xc3("}, struct{}{}, &one, []int{1}, map[string]int{}, [][]any{{1, 2}, {1}}, []any{[]any{1}},
	} {
		if found, err := Parameter(value); err == nil {
			t.Errorf("%#v: %v", value, found)
		}
	}
}

func TestCellsAreScannedWhereTheyFit(t *testing.T) {
	cell := func(value any) Cell { return overTheWire(t, [][]any{{value}}).Cell(0, 0) }
	var any_ any
	var long int64
	var short int
	var real float64
	var text string
	var blob []byte
	var flag bool
	var maybe *int64
	for _, example := range []struct{ value, target, wanted any }{
		{int64(math.MinInt64), &long, int64(math.MinInt64)},
		{7, &short, 7},
		{1, &flag, true},
		{2.5, &real, 2.5},
		{1 << 53, &real, float64(1 << 53)},
		{"a\x00b", &text, "a\x00b"},
		{"abc", &blob, []byte("abc")},
		{[]byte{}, &blob, []byte{}},
		{nil, &blob, []byte(nil)},
		{nil, &any_, nil},
		{"x", &any_, "x"},
		{nil, &maybe, (*int64)(nil)},
	} {
		if err := cell(example.value).Scan(example.target); err != nil {
			t.Errorf("%v: %v", example.value, err)
		}
		if found := reflect.ValueOf(example.target).Elem().Interface(); !reflect.DeepEqual(found, example.wanted) {
			t.Errorf("%v: %#v and not %#v", example.value, found, example.wanted)
		}
	}
	if err := cell(5).Scan(&maybe); err != nil || *maybe != 5 {
		t.Error(maybe, err)
	}
	for _, example := range []struct{ value, target any }{
		{nil, &long}, {nil, &text}, {1.5, &long}, {"1", &long}, {1<<53 + 1, &real}, {math.MaxInt64, &real}, {2, &flag},
		{[]byte("x"), &text}, {1, &text}, {1, long}, {1, nil}, {"x", &maybe},
	} {
		if err := cell(example.value).Scan(example.target); err == nil {
			t.Errorf("%v fits into %T", example.value, example.target)
		}
	}
}

func TestMalformedBatchesAreRefused(t *testing.T) {
	integer, text := martletpb.ColumnKind_COLUMN_KIND_INTEGER, martletpb.ColumnKind_COLUMN_KIND_TEXT
	mixed := martletpb.ColumnKind_COLUMN_KIND_MIXED
	for _, column := range []*martletpb.ColumnValues{
		{Kind: integer},
		{Kind: integer, Integers: []int64{1}},
		{Kind: integer, Integers: []int64{1, 2}, Nulls: []byte{0, 0}},
		{Kind: integer, Integers: []int64{1, 2}, Ends: []uint32{0}},
		{Kind: martletpb.ColumnKind_COLUMN_KIND_REAL, Reals: []float64{1, 2, 3}},
		{Kind: text, Ends: []uint32{2, 1}, Data: []byte("abc")},
		{Kind: text, Ends: []uint32{1, 4}, Data: []byte("abc")},
		{Kind: text, Ends: []uint32{1, math.MaxUint32}, Data: []byte("abc")},
		{Kind: mixed},
		{Kind: mixed, Tags: []byte{0, 5}},
		{Kind: mixed, Tags: []byte{0, 1}},
		{Kind: mixed, Tags: []byte{0, 0}, Nulls: []byte{1}},
		{Kind: 6}, {Kind: -1}, {Kind: math.MaxInt32},
	} {
		if _, err := NewBatch(&martletpb.RowBatch{RowCount: 2, Columns: []*martletpb.ColumnValues{column}}); err == nil {
			t.Error(column)
		}
	}
	if _, err := NewBatch(&martletpb.RowBatch{RowCount: math.MaxUint32}); err == nil {
		t.Error("too many rows")
	}
}

// Whatever a batch is, it is refused or can be read.
func TestDamagedBatchesDoNotPanic(t *testing.T) {
	value, err := Parameter([][]any{{1, "a", nil, 1.5}, {"x", []byte("b"), 2, 2.5}, {nil, "c", nil, 3.5}})
	if err != nil {
		t.Fatal(err)
	}
	content, err := proto.Marshal(value.GetRows())
	if err != nil {
		t.Fatal(err)
	}
	random, taken := rand.New(rand.NewSource(1)), 0
	for try := 0; try < 200_000; try++ {
		damaged := append([]byte{}, content...)
		for i := random.Intn(4); i >= 0; i-- {
			damaged[random.Intn(len(damaged))] = byte(random.Intn(256))
		}
		message := new(martletpb.RowBatch)
		if proto.Unmarshal(damaged, message) != nil {
			continue
		}
		batch, err := NewBatch(message)
		if err != nil {
			continue
		}
		taken++
		for row := 0; row < batch.Rows && row < 100; row++ {
			batch.Row(row)
		}
	}
	if taken == 0 {
		t.Error("none was taken")
	}
}
