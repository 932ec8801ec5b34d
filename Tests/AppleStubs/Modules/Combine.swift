// Combine, as far as it is OpenCombine.
@_exported import OpenCombine
@_exported import OpenCombineFoundation
