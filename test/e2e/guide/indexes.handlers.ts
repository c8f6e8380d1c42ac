import { defineIndex, HandlerContext, ObjectIndex, OnReconcile, ResourceHandlers } from 'nestjs-operator';
import { Site } from './site.js';

/** Names of sites by their theme. */
export const SITES_BY_THEME = defineIndex<string, string>('sitesByTheme');

@ResourceHandlers(Site)
export class ThemeHandlers {
  readonly lines: string[] = [];

  @ObjectIndex(SITES_BY_THEME)
  byTheme({ spec, meta }: HandlerContext<Site>): Array<readonly [string, string]> {
    return spec.theme === undefined ? [] : [[spec.theme, meta.name]];
  }

  @OnReconcile()
  list({ spec, indexes }: HandlerContext<Site>): void {
    const sites = indexes.get(SITES_BY_THEME).get(spec.theme ?? 'light');
    this.lines.push(sites.toSorted().join(' '));
  }
}
