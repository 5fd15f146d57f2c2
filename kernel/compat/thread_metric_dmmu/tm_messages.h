/* SPDX-License-Identifier: Apache-2.0 */
/* tm_messages.h: the messages of ../thread_metric, whose layer asks the include path for them. */
#include "../thread_metric/tm_messages.h"
