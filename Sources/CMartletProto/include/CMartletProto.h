// The envelope's messages as protobuf-c makes them from proto/martlet/v1.
#ifndef CMARTLETPROTO_H
#define CMARTLETPROTO_H

#include "martlet/v1/rows.pb-c.h"
#include "martlet/v1/session.pb-c.h"

#endif
