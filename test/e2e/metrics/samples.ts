/** One line of what is scraped. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Reads Prometheus' text format, without types and help. */
export function readSamples(text: string): Sample[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const found = /^([\w:]+)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (found === null) throw new Error(`This is no sample: ${line}`);
    const [, name = '', labels = '', value = ''] = found;
    const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)",?/g)];
    return {
      name,
      labels: Object.fromEntries(pairs.map(([, key = '', text = '']) => [key, text])),
      value: Number(value.replace('Inf', 'Infinity')),
    };
  });
}

/** The value of the one sample with at least these labels; `undefined`: there is none. */
export function valueOf(
  samples: readonly Sample[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = samples.filter(
    (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  );
  if (found.length > 1) throw new Error(`${found.length} samples are ${name} with ${JSON.stringify(labels)}`);
  return found[0]?.value;
}
