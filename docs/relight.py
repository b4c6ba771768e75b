"""Light a painted shot anew in Blender's compositor (4.5 or newer).

blender --background --python relight.py -- FIRST.exr FRAMES OUT.####.png
"""

import sys
from pathlib import Path

import bpy

RIGHT, UP, TOWARDS = -0.6, 0.5, 0.3  # direction of the lamp, from the canvas

first, frames, out = sys.argv[sys.argv.index("--") + 1 :]
number = int(Path(first).stem.rpartition(".")[2])

scene = bpy.context.scene
if hasattr(scene, "compositing_node_group"):  # Blender 5
    tree = scene.compositing_node_group = bpy.data.node_groups.new("Relight", "CompositorNodeTree")
    tree.interface.new_socket("Image", in_out="OUTPUT", socket_type="NodeSocketColor")
    result = tree.nodes.new("NodeGroupOutput")
else:
    scene.use_nodes = True
    tree = scene.node_tree
    tree.nodes.clear()
    result = tree.nodes.new("CompositorNodeComposite")

shot = tree.nodes.new("CompositorNodeImage")
shot.image = bpy.data.images.load(str(Path(first).resolve()))
shot.image.source = "SEQUENCE"
shot.frame_start, shot.frame_offset, shot.frame_duration = number, number - 1, int(frames)

dot = tree.nodes.new("ShaderNodeVectorMath")
dot.operation = "DOT_PRODUCT"
dot.inputs[1].default_value = RIGHT / TOWARDS, UP / TOWARDS, 1
tree.links.new(shot.outputs["N"], dot.inputs[0])

light = tree.nodes.new("ShaderNodeMath")
light.operation = "MAXIMUM"
light.inputs[1].default_value = 0
tree.links.new(dot.outputs["Value"], light.inputs[0])

lit = tree.nodes.new("ShaderNodeMix")
lit.data_type, lit.blend_type = "RGBA", "MULTIPLY"
factor, painted, shade = (lit.inputs[index] for index in (0, 6, 7))  # by place: other types have inputs of these names
factor.default_value = 1
tree.links.new(shot.outputs["painted"], painted)
tree.links.new(light.outputs[0], shade)
tree.links.new(lit.outputs[2], result.inputs[0])

scene.frame_start, scene.frame_end = number, number + int(frames) - 1
scene.render.resolution_x, scene.render.resolution_y = shot.image.size
scene.render.resolution_percentage = 100
scene.view_settings.view_transform = "Standard"  # the colours as they are
scene.render.filepath = str(Path(out).resolve())
bpy.ops.render.render(animation=True)
