import type { Type } from '@nestjs/common';
import type { ModulesContainer } from '@nestjs/core';

/**
 * Lets the module that holds a provider start after and stop before all others. Nest orders hooks by a module's distance from the root, computed
 * before instances are made and first used after that: a provider's constructor is the moment to change it.
 *
 * Without this, an imported module stops last: databases would be gone while handlers still drain.
 *
 * @returns whether it worked; if not, Nest's own order applies
 */
export function startLastStopFirst(modules: ModulesContainer, provider: Type): boolean {
  let moved = false;
  for (const module of modules.values()) {
    if (!module.providers.has(provider) || typeof module.distance !== 'number') continue;
    module.distance = -1;
    moved = module.distance === -1;
  }
  return moved;
}
