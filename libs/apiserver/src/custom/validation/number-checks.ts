import type { StatusCause } from '../../status.js';
import type { Schema } from '../schema.js';
import { goNumber, isInRange, isIntegral, shownLimit, type GoNumber } from './numbers.js';
import type { SchemaCauses } from './schema-causes.js';

/** Limits of numbers, and whether numbers and limits fit the type. */
export function checkNumber(
  value: unknown,
  number: GoNumber,
  schema: Schema,
  path: string,
  say: SchemaCauses,
  causes: StatusCause[],
): void {
  const type = schema.type ?? '';
  const inRange = (what: string, tried: GoNumber): boolean => {
    if (isInRange(tried, type, schema.format)) return true;
    const form = schema.format === undefined ? '(default format)' : `with format ${schema.format}`;
    causes.push(say.whole(`${what} value must be of type ${type} ${form} in ${path}`));
    return false;
  };
  const limit = (what: string, tried: number): boolean => inRange(what, goNumber(tried)!);
  inRange('Checked', number);
  const { multipleOf, maximum, minimum } = schema;
  if (multipleOf !== undefined) {
    const native = limit('MultipleOf', multipleOf);
    const found = multipleProblem(number, multipleOf, native);
    if (found === 'factor') {
      const shown = native && number.isInteger ? Math.trunc(multipleOf) : multipleOf;
      causes.push(say.invalid(path, shown, `factor MultipleOf declared for ${path} must be positive: ${shown}`));
    } else if (found === 'value') {
      causes.push(say.inBody(path, value, `should be a multiple of ${shownLimit(multipleOf, number.isInteger)}`));
    }
  }
  if (maximum !== undefined) {
    const asInteger = limit('Maximum boundary', maximum) && number.isInteger;
    const exclusive = schema.exclusiveMaximum === true;
    if (exclusive ? number.double >= maximum : number.double > maximum) {
      const bound = exclusive ? 'less than' : 'less than or equal to';
      causes.push(say.inBody(path, value, `should be ${bound} ${shownLimit(maximum, asInteger)}`));
    }
  }
  if (minimum !== undefined) {
    const asInteger = limit('Minimum boundary', minimum) && number.isInteger;
    const exclusive = schema.exclusiveMinimum === true;
    if (exclusive ? number.double <= minimum : number.double < minimum) {
      const bound = exclusive ? 'greater than' : 'greater than or equal to';
      causes.push(say.inBody(path, value, `should be ${bound} ${shownLimit(minimum, asInteger)}`));
    }
  }
}

/** Integers are divided by integers: a factor below one becomes zero, which is none. */
function multipleProblem(number: GoNumber, factor: number, native: boolean): 'factor' | 'value' | undefined {
  if (native && number.isInteger) {
    const whole = BigInt(Math.trunc(factor));
    if (whole <= 0n) return 'factor';
    return (number.exact ?? BigInt(number.double)) % whole === 0n ? undefined : 'value';
  }
  if (factor <= 0) return 'factor';
  const times = factor < 1 ? (1 / factor) * number.double : number.double / factor;
  return isIntegral(times) ? undefined : 'value';
}
