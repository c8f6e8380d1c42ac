import { isIP, isIPv4, isIPv6 } from 'node:net';

const dateTime = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:?\d{2})$/;

const checks: Readonly<Record<string, (value: string) => boolean>> = {
  'date-time': (value) => dateTime.test(value) && !Number.isNaN(Date.parse(value.replace(' ', 'T'))),
  date: (value) => /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)),
  byte: (value) => /^[A-Za-z0-9+/]*={0,2}$/.test(value) && value.length % 4 === 0,
  ipv4: isIPv4,
  ipv6: isIPv6,
  ip: (value) => isIP(value) !== 0,
  cidr: (value) => {
    const [address = '', bits = '', more] = value.split('/');
    const version = isIP(address);
    return more === undefined && version !== 0 && /^\d+$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
  },
  uuid: (value) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(value),
  uri: (value) => URL.canParse(value),
  email: (value) => /^[^\s@]+@[^\s@]+$/.test(value),
  hostname: (value) =>
    /^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?)*$/.test(value),
  mac: (value) => /^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i.test(value),
  duration: (value) => /^-?(\d+(\.\d+)?(ns|us|µs|ms|s|m|h|d|w))+$/.test(value) || value === '0',
};

/** Whether a string has a format; unknown formats accept everything, as on the real server. */
export function matchesFormat(format: string, value: string): boolean {
  return Object.hasOwn(checks, format) ? checks[format]!(value) : true;
}
