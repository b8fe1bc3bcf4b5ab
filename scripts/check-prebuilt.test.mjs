import { expect, test } from 'vitest';
import { faultsOfReason } from './check-prebuilt.mjs';

const listing = (cpu) => JSON.stringify([{ backend: 'reference', devices: [{}] }, ...cpu]);

test('a backend without native code has to say what is missing', () => {
  const missing = { backend: 'cpu', devices: [], reason: 'the package of the platform is not installed' };
  expect(faultsOfReason(listing([missing]), ['not installed'])).toEqual([]);
  expect(faultsOfReason(listing([missing]), ['g++', 'not installed'])).toEqual([]);
  expect(faultsOfReason(listing([missing]), ['g++', 'Python'])).toEqual([
    'the reason is the package of the platform is not installed, and lacks: g++, or Python',
  ]);
  expect(faultsOfReason(listing([{ ...missing, devices: [{}] }]), ['not installed'])).toHaveLength(1);
  expect(faultsOfReason(listing([]), ['not installed'])).toHaveLength(1);
});
