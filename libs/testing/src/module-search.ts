import type { ModuleMetadata } from '@nestjs/common';

/** Whether a module is among these imports, or among those of the modules in them. */
export function importsModule(imports: NonNullable<ModuleMetadata['imports']>, wanted: unknown): boolean {
  const seen = new Set<unknown>();
  const visit = (entry: unknown): boolean => {
    if (entry === wanted) return true;
    if (typeof entry === 'object' && entry !== null) {
      if ('forwardRef' in entry && typeof entry.forwardRef === 'function') return visit(entry.forwardRef());
      if ('module' in entry) {
        const nested = 'imports' in entry && Array.isArray(entry.imports) ? entry.imports : [];
        return visit(entry.module) || nested.some(visit);
      }
    }
    if (typeof entry !== 'function' || seen.has(entry)) return false;
    seen.add(entry);
    const nested: unknown = Reflect.getMetadata('imports', entry);
    return Array.isArray(nested) && nested.some(visit);
  };
  return imports.some(visit);
}
