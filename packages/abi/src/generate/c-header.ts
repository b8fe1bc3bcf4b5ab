import { ABI_VERSION } from '../backend/index.js';
import {
  codeBooks,
  dataFormats,
  evenSigns,
  type Field,
  type FieldType,
  fp4Values,
  iq4Values,
  type WeightFormat,
  weightFormats,
} from '../formats/index.js';
import { type OpDeclaration, ops } from '../ops/index.js';
import { snakeCase, wrapped } from './names.js';

/** Floats of 16 bits are kept as their bits: C and C++ have no portable type for them. */
const cTypes: Readonly<Record<FieldType, string>> = {
  u8: 'uint8_t',
  i8: 'int8_t',
  u16: 'uint16_t',
  i16: 'int16_t',
  u32: 'uint32_t',
  i32: 'int32_t',
  i64: 'int64_t',
  f16: 'uint16_t',
  bf16: 'uint16_t',
  f32: 'float',
  f64: 'double',
};

/** The header that native code of a backend includes: C11, C++17 and CUDA. */
export function cHeader(): string {
  const formats: WeightFormat[] = Object.values(weightFormats);
  const blocks = formats.filter(({ block }) => block.weights > 1);
  return `// Written by npm run generate from packages/abi/src; change it there.
//
// Numbers, block layouts and tables of version ${ABI_VERSION} of the PocketLLM ABI, for C11, C++17 and CUDA.
// Each weight format is described in src/formats, with the formula that its fields stand in.
#ifndef POCKETLLM_ABI_H
#define POCKETLLM_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define POCKET_STATIC_ASSERT static_assert
#else
#define POCKET_STATIC_ASSERT _Static_assert
#endif

#define POCKET_ABI_VERSION ${ABI_VERSION}

enum pocket_op {
${Object.values<OpDeclaration>(ops)
  .map(({ name, number }) => `  POCKET_OP_${name.toUpperCase()} = ${number},`)
  .join('\n')}
};

// The values are the type ids of GGUF.
enum pocket_format {
${[...formats, ...Object.values(dataFormats)]
  .map(({ name, ggufType }) => `  POCKET_FORMAT_${name.toUpperCase()} = ${ggufType},`)
  .join('\n')}
};

// Blocks as they stand in a file. A field may lie at an odd address.
#pragma pack(push, 1)

${blocks.map(blockStruct).join('\n\n')}

#pragma pack(pop)

${blocks.map(blockAsserts).join('\n\n')}

// Tables. Define POCKET_TABLE before the include to place them elsewhere, such as in device memory.
#ifndef POCKET_TABLE
#ifdef __cplusplus
#define POCKET_TABLE static constexpr
#else
#define POCKET_TABLE static const
#endif
#endif

// Value k of point e of a code book is levels[(codes[e] >> (BITS * k)) & ((1 << BITS) - 1)].
${Object.entries(codeBooks)
  .map(
    ([name, book]) => `#define POCKET_${name.toUpperCase()}_BITS ${book.bitsPerValue}
${table('int8_t', `${name}_levels`, book.levels)}
${table('uint16_t', `${name}_codes`, book.codes)}`,
  )
  .join('\n\n')}

// Bit k set: weight k of a group of eight is negative. By the seven bits that are stored.
${table('uint8_t', 'even_signs', evenSigns)}

// Values of the codes of iq4_nl and iq4_xs.
${table('int8_t', 'iq4_values', iq4Values)}

// Values of the codes of mxfp4 and nvfp4, doubled.
${table('int8_t', 'fp4_values', fp4Values)}

#endif
`;
}

function blockStruct({ name, block, fields }: WeightFormat): string {
  const members = fieldsInOrder(fields).map(([field, { type, count }]) => {
    const half = type === 'f16' || type === 'bf16' ? ` // ${type}` : '';
    return `  ${cTypes[type]} ${snakeCase(field)}${count === undefined ? '' : `[${count}]`};${half}`;
  });
  return `#define POCKET_${name.toUpperCase()}_WEIGHTS ${block.weights}
#define POCKET_${name.toUpperCase()}_BYTES ${block.bytes}
typedef struct {
${members.join('\n')}
} pocket_${name};`;
}

function blockAsserts({ name, block, fields }: WeightFormat): string {
  const offsets = fieldsInOrder(fields).map(([field, { offset }]) => {
    const member = snakeCase(field);
    return `POCKET_STATIC_ASSERT(offsetof(pocket_${name}, ${member}) == ${offset}, "${name}.${member}");`;
  });
  return `POCKET_STATIC_ASSERT(sizeof(pocket_${name}) == ${block.bytes}, "${name}");
${offsets.join('\n')}`;
}

function fieldsInOrder(fields: WeightFormat['fields']): [string, Field][] {
  return Object.entries(fields).sort(([, a], [, b]) => a.offset - b.offset);
}

function table(type: string, name: string, values: Iterable<number>): string {
  const literals = Array.from(values, String);
  return `POCKET_TABLE ${type} pocket_${name}[${literals.length}] = {\n${wrapped(literals, '  ')}\n};`;
}
