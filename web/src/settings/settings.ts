/** The settings on screen: read once, and again after each change. */
import { getSettings, putSetting, type Name, type Settings, type SettingsAnswer } from "../api/settings";
import { Problem } from "../api/problem";
import { quiet, reading } from "../api/turns";
import { whenBack } from "../session/back";
import { signal } from "../state/signal";

export interface Known {
  answer: SettingsAnswer | null;
  problem: Problem | null;
}

const state = signal<Known>({ answer: null, problem: null });

let first: Promise<void> | null = null;

export const settings = {
  ...state,
  /** Looks where nobody has done so yet. */
  async need(): Promise<void> {
    if (state.get().answer) return;
    first ??= settings.look().finally(() => (first = null));
    await first;
  },
  async look(): Promise<void> {
    const old = reading();
    try {
      const answer = await getSettings();
      if (old() && state.get().answer !== null) {
        await quiet();
        await settings.look();
      } else state.set({ answer, problem: null });
    } catch (error) {
      state.set({ ...state.get(), problem: Problem.from(error) });
    }
  },
  /** Changes one; null goes back to the default. */
  async put<N extends Name>(name: N, value: Settings[N] | null): Promise<void> {
    state.set({ answer: await putSetting(name, value), problem: null });
  },
};

// A change that got no answer may have been made.
whenBack(() => {
  if (state.get().answer !== null) void settings.look();
});
