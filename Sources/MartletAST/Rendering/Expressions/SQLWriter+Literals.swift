/// Literals: what is part of a query's shape and not a bound value.
///
/// Always true: SQLite reads each back as the value that the tree holds (NaN as NULL, which SQLite makes of it too). Of
/// real numbers all digits are there, but SQLite 3.40 reads some very small ones (near 1e-302) as their neighbours.
extension SQLWriter {
  func literal(_ node: ASTLiteral) {
    switch node.kind {
    case .keyword(let keyword): write(keyword.sql)
    case .integer, .real, .text, .blob: if hidesValues { write("?") } else { value(node) }
    case nil: break
    }
  }

  private func value(_ node: ASTLiteral) {
    switch node.kind {
    case .integer(let integer): write(verbatim: String(integer))
    case .real(let real): self.real(real)
    case .text(let text): self.text(text)
    case .blob(let blob): self.blob(blob)
    case .keyword, nil: break
    }
  }

  private func real(_ value: Double) {
    if value.isNaN {
      write("NULL")
    } else if value.isInfinite {
      // Beyond the largest double, so SQLite reads it as infinite.
      write(value < 0 ? "-1e999" : "1e999")
    } else {
      // The shortest digits that read back as the same double; always with a point or an exponent.
      write(verbatim: value.description)
    }
  }

  private func blob(_ data: [UInt8]) {
    write("x'")
    for byte in data {
      hexDigit(byte >> 4)
      hexDigit(byte & 15)
    }
    write("'")
  }

  private func hexDigit(_ value: UInt8) {
    write(byte: value < 10 ? 0x30 + value : 0x57 + value)
  }
}
