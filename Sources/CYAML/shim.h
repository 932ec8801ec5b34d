/* libyaml's parser: events with line and column marks. */
#if !__has_include(<yaml.h>)
#error "yaml.h is missing: apt-get install libyaml-dev, or brew install libyaml"
#endif
#include <yaml.h>
