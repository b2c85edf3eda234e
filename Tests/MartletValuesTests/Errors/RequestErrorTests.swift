/// What a program sees when it prints the parts of an error.
import MartletValues
import Testing

@Suite struct RequestErrorTests {
  @Test func `reasons and codes are printed as the words that they are`() {
    let error = RequestError(.failedPrecondition, .constraint, "No.")
    #expect("\(error.reason) \(error.code)" == "CONSTRAINT FAILED_PRECONDITION")
    #expect("\(RequestError.Reason(rawValue: "LATER"))" == "LATER")
    #expect("\(RequestError.Code(rawValue: 16)) \(RequestError.Code(rawValue: 99))" == "UNAUTHENTICATED 99")
  }
}
