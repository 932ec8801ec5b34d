/* libyaml's parser: events with line and column marks. */
#include <yaml.h>
