// Lines of the tables that are not for the including file vanish. It undefines its own and says what becomes of them.
#pragma once

#define POCKET_DEFINE_scalar(name, format)
#define POCKET_DEFINE_avx2(name, format)
#define POCKET_DEFINE_avx512vnni(name, format)
#define POCKET_DEFINE_neondot(name, format)
#define POCKET_DEFINE_neoni8mm(name, format)
#define POCKET_DEFINE_amx(name, format)
#define POCKET_DEFINE_avxvnni(name, format)
