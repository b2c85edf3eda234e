internal import COpenSSL

/// The names of a certificate's owner.
///
/// Always true: a name holds no zero byte and no control character, and is at most `TLSLimits.nameBytesMax` long;
/// others are left out, because somebody may have made them to look like another.
enum CertificateNames {
  /// Its common name and its DNS names.
  static func names(of certificate: OpaquePointer) -> [String] {
    var names: [String] = []
    if let name = commonName(of: certificate) { names.append(name) }
    for name in alternativeNames(of: certificate) where !names.contains(name) { names.append(name) }
    return names
  }

  /// Nil if there is none, or if there are several, because nobody could say which one counts.
  private static func commonName(of certificate: OpaquePointer) -> String? {
    guard let subject = X509_get_subject_name(certificate) else { return nil }
    let place = X509_NAME_get_index_by_NID(subject, NID_commonName, -1)
    guard place >= 0, X509_NAME_get_index_by_NID(subject, NID_commonName, place) < 0,
      let entry = X509_NAME_get_entry(subject, place)
    else { return nil }
    return text(X509_NAME_ENTRY_get_data(entry))
  }

  private static func alternativeNames(of certificate: OpaquePointer) -> [String] {
    guard let stack = X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil) else { return [] }
    let names = OpaquePointer(stack)
    defer { GENERAL_NAMES_free(names) }
    return (0..<min(OPENSSL_sk_num(names), Int32(TLSLimits.namesMax))).compactMap { place in
      guard let value = OPENSSL_sk_value(names, place) else { return nil }
      var kind: Int32 = 0
      // Bound because the stack holds nothing but GENERAL_NAME.
      let name = value.assumingMemoryBound(to: GENERAL_NAME.self)
      guard let content = GENERAL_NAME_get0_value(name, &kind), kind == GEN_DNS else { return nil }
      // Because the kind is DNS, the value is a string.
      return text(content.assumingMemoryBound(to: ASN1_STRING.self))
    }
  }

  private static func text(_ string: UnsafePointer<ASN1_STRING>?) -> String? {
    var bytes: UnsafeMutablePointer<UInt8>?
    let count = ASN1_STRING_to_UTF8(&bytes, string)
    guard count > 0, let bytes else { return nil }
    defer { CRYPTO_free(bytes, nil, 0) }
    let buffer = UnsafeBufferPointer(start: bytes, count: Int(count))
    guard count <= TLSLimits.nameBytesMax, !buffer.contains(where: { $0 < 32 || $0 == 127 }) else { return nil }
    return String(validating: buffer, as: UTF8.self)
  }
}
