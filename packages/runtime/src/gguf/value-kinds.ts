import {
  type GgufArray,
  type GgufBool,
  type GgufBoolArray,
  type GgufFloat,
  type GgufInteger,
  type GgufNumberArray,
  type GgufString,
  type GgufStringArray,
  type GgufValue,
  numberArrays,
} from './gguf-value.js';

const isFloatType = (type: string) => type === 'float32' || type === 'float64';
const isNumberType = (type: string) => Object.hasOwn(numberArrays, type);
const isIntegerType = (type: string) => isNumberType(type) && !isFloatType(type);

// What a key may be asked to hold.
export const isInteger = (value: GgufValue): value is GgufInteger => isIntegerType(value.type);
export const isNumber = (value: GgufValue): value is GgufInteger | GgufFloat => isNumberType(value.type);
export const isBool = (value: GgufValue): value is GgufBool => value.type === 'bool';
export const isString = (value: GgufValue): value is GgufString => value.type === 'string';
export const isArray = (value: GgufValue): value is GgufArray => value.type === 'array';

export const isIntegerArray = (array: GgufArray): array is GgufNumberArray =>
  isIntegerType(array.elementType);
export const isNumberArray = (array: GgufArray): array is GgufNumberArray => isNumberType(array.elementType);
export const isBoolArray = (array: GgufArray): array is GgufBoolArray => array.elementType === 'bool';
export const isStringArray = (array: GgufArray): array is GgufStringArray => array.elementType === 'string';
