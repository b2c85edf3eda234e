/// Where a loop's connections are decrypted, one after another.
///
/// Always true: it has room for the longest record of TLS; what is in it is valid until the next one is decrypted.
package final class TLSScratch {
  package let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: TLSLimits.recordBytesMax, alignment: 16)

  package init() {}

  deinit { bytes.deallocate() }
}
