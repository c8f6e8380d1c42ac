import { PermanentError } from 'nestjs-operator';

const sizePattern = /^[1-9]\d*(?:\.\d+)?(?:Ki|Mi|Gi|Ti)$/;

/** A size that a volume can have. */
export function checkSize(size: string): string {
  if (!sizePattern.test(size)) {
    throw new PermanentError(`The size "${size}" is no amount of storage. Write a number and a unit, as in "1Gi".`);
  }
  return size;
}
