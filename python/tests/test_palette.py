"""The colors of classes: CIEDE2000 between any two, for normal, red-blind and green-blind
eyes."""

import numpy as np
import pytest

from penumbra import _palette

# Machado, Oliveira, Fernandes: IEEE Transactions on Visualization and Computer Graphics 15 (2009)
# 1291-1298, severity 1, for linear RGB: protanopia, deuteranopia.
RED_BLIND = """0.152286 1.052583 -0.204868 0.114503 0.786281 0.099216
               -0.003882 -0.048116 1.051998"""
GREEN_BLIND = """0.367322 0.860646 -0.227968 0.280085 0.672501 0.047413
                 -0.011820 0.042940 0.968881"""
XYZ = """0.4124564 0.3575761 0.1804375 0.2126729 0.7151522 0.0721750
         0.0193339 0.1191920 0.9503041"""
NORMAL, PAPERS = "1 0 0 0 1 0 0 0 1", ("#FFFFFF", "#14171B")


def seen(colors, eye=NORMAL):
    """Return sRGB colors as an eye sees them, in CIELAB with white D65."""
    eye, xyz = (np.array(m.split(), float).reshape(3, 3) for m in (eye, XYZ))
    rgb = np.array([[int(c[i : i + 2], 16) / 255 for i in (1, 3, 5)] for c in colors])
    rgb = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    t = np.clip(rgb @ eye.T, 0, 1) @ xyz.T / xyz.sum(axis=1)
    f = np.where(t > 216 / 24389, np.cbrt(t), (24389 / 27 * t + 16) / 116).T
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])]).T


def differences(p, q):
    """Compute CIEDE2000 with all weights 1 between colors p [n x 3] and q [m x 3]. Sharma, Wu,
    Dalal: Color Research and Application 30 (2005) 21-30."""
    (l1, a1, b1), (l2, a2, b2) = p.T[:, :, None], q.T[:, None, :]
    c7 = ((np.hypot(a1, b1) + np.hypot(a2, b2)) / 2) ** 7
    g = 1.5 - 0.5 * np.sqrt(c7 / (c7 + 25.0**7))
    c1, c2 = np.hypot(g * a1, b1), np.hypot(g * a2, b2)
    h1, h2 = (np.degrees(np.arctan2(b, g * a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    far = abs(h1 - h2) > 180
    turn = h2 - h1 + np.where(far, np.where(h2 > h1, -360, 360), 0)
    h, c, l50 = ((h1 + h2) / 2 + 180 * far) % 360, (c1 + c2) / 2, (l1 + l2) / 2 - 50
    waves = ((1, 0, 0), (-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.2, 4, -63))
    t = sum(weight * np.cos(np.radians(k * h + at)) for weight, k, at in waves)
    twist = np.radians(60 * np.exp(-(((h - 275) / 25) ** 2)))
    r = -2 * np.sin(twist) * np.sqrt(c**7 / (c**7 + 25.0**7))
    dl = (l2 - l1) / (1 + 0.015 * l50**2 / np.sqrt(20 + l50**2))
    dc = (c2 - c1) / (1 + 0.045 * c)
    dh = 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2)) / (1 + 0.015 * c * t)
    return np.sqrt(dl**2 + dc**2 + dh**2 + r * dc * dh)


def test_differences_are_those_of_the_paper():
    p, q = np.array([[50, 2.6772, -79.7751], [50, 2.49, -0.001]]), np.array([[50, 0, -82.7485]])
    assert differences(p, q)[0, 0] == pytest.approx(2.0425, abs=5e-5)
    assert differences(p, np.array([[50, -2.49, 0.0011]]))[1, 0] == pytest.approx(7.2195, abs=5e-5)


@pytest.mark.parametrize("eye", [NORMAL, RED_BLIND, GREEN_BLIND], ids=["all", "no red", "no green"])
def test_any_two_colors_differ_for_all_eyes(eye):
    colors = [*_palette.COLORS, _palette.NO_CLASS, *PAPERS]
    apart = differences(seen(_palette.COLORS, eye), seen(colors, eye))
    assert (apart[~np.eye(*apart.shape, dtype=bool)] >= 12).all()


def test_next_colors_and_the_lines_across_a_mark_differ_in_lightness():
    light, inks = seen(_palette.COLORS)[:, 0], seen([_palette.OUTLINE, PAPERS[0]])[:, :1]
    assert (abs(np.diff(light)) >= 15).all()
    assert (abs(inks - light).max(axis=0) >= 30).all()
