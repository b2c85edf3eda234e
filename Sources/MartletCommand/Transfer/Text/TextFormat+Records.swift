/// What reads a file of a format, record by record.
extension TextFormat {
  /// The records of a file of this format. `csv` says what is known of one with fields.
  func records(of path: String, name: String, csv: CSVFormat = CSVFormat()) throws -> any ImportRecords {
    switch self {
    case .json, .jsonl: return try JSONImportRecords(path, name: name, isLines: self == .jsonl)
    case .csv, .tsv:
      var csv = csv
      if csv.delimiter == nil, self == .tsv { csv.delimiter = 0x09 }
      return try CSVImportRecords(path, name: name, format: csv)
    }
  }
}
