{
  'targets': [
    {
      'target_name': 'assay',
      'sources': ['src/addon.c', 'src/values.c', 'src/files.c', 'src/control.c'],
      'defines': ['NAPI_VERSION=8'],
      'cflags': ['-std=c11', '-Wall', '-Wextra', '<!@(pkg-config --cflags libassay)'],
      'libraries': ['<!@(pkg-config --libs libassay)'],
      'xcode_settings': {'OTHER_CFLAGS': ['-std=c11', '<!@(pkg-config --cflags libassay)']}
    }
  ]
}
