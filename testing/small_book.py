"""A book of three pages, for what needs a real docs folder and no more."""

PAGES = {
    "intro.md": "# The Kestrel Robot\n\nThe Kestrel robot was built in 2019 by Dana Orlov. "
    "It weighs 31 kg and walks at 1.4 m/s.\n",
    "sensors.md": "# Sensors of Kestrel\n\nThe lidar of Kestrel scans at 12 Hz. "
    "Its depth camera has a range of 6 m. Both sensors publish on their own topics.\n",
    "safety.md": "# Safety Rules\n\nThe emergency stop of Kestrel is a red button on its back. "
    "Nobody may stand within 2 m of the robot while it walks.\n",
}
